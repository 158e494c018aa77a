// The loop that keeps a window of tiles in flight.
#include "pipelines/segmentation/segment_slide.hpp"

#include <starpu.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/own_tiles.hpp"
#include "pipelines/run/run_progress.hpp"
#include "pipelines/segmentation/events.hpp"
#include "pipelines/segmentation/tile_job.hpp"
#include "pipelines/segmentation/tile_writer.hpp"

namespace starpath {
namespace {

std::unordered_set<std::int64_t> finished_tiles(const io::ResultStore& store) {
  std::unordered_set<std::int64_t> finished;
  for (const io::TileRecord& tile : store.tiles())
    if (tile.state != io::TileState::failed) finished.insert(tile.index);
  return finished;
}

class Run {
 public:
  Run(const io::WorkingSlide& slide, io::ResultStore& store, const SegmentationOptions& options, TileSource& source,
      const ProgressCallback& on_progress)
      : slide_(slide),
        options_(options),
        progress_(on_progress),
        intake_(source, window_of(options), [this](SourceEvent event) { events_.push(std::move(event)); }),
        writer_(store, events_) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    find_tiles(store);
  }
  // Tasks hold addresses of jobs: whatever ends the run, they end first.
  ~Run() { starpu_task_wait_for_all(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Progress work(const std::atomic<bool>& stop) {
    if (options_.log != nullptr) options_.log->begun = starpu_timing_now();
    progress_.tell();
    progress_.tell_notes(codelets::prepare_gpu_workers(largest_tile_, gpu_scratch_bytes(largest_tile_)));
    while (!intake_.over()) {
      if (stop) intake_.stop();
      while (jobs_.size() < intake_.window() && writing_ < intake_.window() && intake_.has_next()) start_next();
      if (writing_ < intake_.window()) intake_.ask(jobs_.size());
      if (jobs_.empty() && writing_ == 0) intake_.idle();
      const Event event = events_.pop();
      std::visit([&](const auto& known) { handle(known); }, event);
    }
    if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
    return progress_.ended(intake_.over()->interrupted);
  }

 private:
  // One tile a worker computes on, one that waits for it, and one between its phases or being read.
  static std::size_t window_of(const SegmentationOptions& options) {
    return options.window > 0 ? static_cast<std::size_t>(options.window) : std::size_t{3} * starpu_worker_get_count();
  }

  void find_tiles(const io::ResultStore& store) {
    const auto finished = finished_tiles(store);
    const std::vector<Tile> tiles = cut_tiles(slide_.width(), slide_.height(), options_.tiling);
    for (const Tile& tile : tiles) {
      if (finished.contains(tile.index)) continue;
      tiles_.emplace(tile.index, tile);
      largest_tile_ = std::max(largest_tile_, tile.region.width * tile.region.height);
    }
    progress_.expect(tiles.size(), tiles_.size());
  }

  void handle(const SourceEvent& event) {
    intake_.handle(event);
    if (const auto* done = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(done->tile);
  }

  void start_next() {
    auto job = std::make_unique<TileJob>(tiles_.at(intake_.next()), options_.tiling.cell, slide_, events_);
    TileJob& started = *job;
    jobs_.emplace(&started, std::move(job));
    started.attempts = 1;
    started.submit(Phase::tissue);
  }

  void handle(const TaskEnded& event) {
    TileJob& job = *event.job;
    (event.stage == Stage::read ? job.read_seconds : job.compute_seconds) += event.run.seconds();
    const std::string stage = std::string(spec_of(event.stage).name);
    progress_.task_ended(stage, event.run);
    if (options_.log != nullptr) options_.log->add(stage, event.run);
    if (--job.pending == 0) advance(job);
  }

  void advance(TileJob& job) {
    if (job.status.failed()) return retry_or_give_up(job);
    switch (job.phase) {
      case Phase::tissue:
        return job.all_glass() ? finish(job, io::TileState::background, "") : job.submit(Phase::segment);
      case Phase::segment:
        return job.object_count() == 0 ? finish(job, io::TileState::done, "") : job.submit(Phase::measure);
      case Phase::measure:
        return finish(job, io::TileState::done, "");
    }
  }

  void retry_or_give_up(TileJob& job) {
    if (job.attempts >= options_.attempts) return finish(job, io::TileState::failed, job.status.reason());
    ++job.attempts;
    job.release();
    job.nuclei.clear();
    job.status.reset();
    job.submit(Phase::tissue);
  }

  void finish(TileJob& job, io::TileState state, const std::string& error) {
    const Rect& core = job.tile.core;
    if (state == io::TileState::failed) job.nuclei.clear();
    writer_.push(
        {{job.tile.index, core.x, core.y, core.width, core.height, state, job.read_seconds, job.compute_seconds, error},
         std::move(job.nuclei)});
    ++writing_;
    jobs_.erase(&job);
  }

  void handle(const TileWritten& event) {
    --writing_;
    const io::TileRecord& tile = event.tile;
    const TileDone done{
        tile.index, tile.state == io::TileState::failed, tile.state == io::TileState::background, event.nuclei,
        tile.error.empty() ? ""
                           : failure_text(place_of("tile", tile.index, {tile.x, tile.y, tile.width, tile.height}),
                                          tile.error, options_.attempts)};
    intake_.finished(done);
    progress_.finished(done);
  }

  [[noreturn]] void handle(const WritingFailed& event) { std::rethrow_exception(event.reason); }

  const io::WorkingSlide& slide_;
  const SegmentationOptions& options_;
  RunProgress progress_;
  std::unordered_map<std::int64_t, Tile> tiles_;  // that may be given
  std::int64_t largest_tile_ = 0;                 // of them, pixels
  EventQueue events_;
  TileIntake intake_;
  std::unordered_map<TileJob*, std::unique_ptr<TileJob>> jobs_;  // in flight
  std::size_t writing_ = 0;                                      // finished, but not known to be committed
  TileWriter writer_;                                            // last: it ends before what it uses
};

}  // namespace

std::vector<std::int64_t> tiles_left(const io::WorkingSlide& slide, const io::ResultStore& store,
                                     const SegmentationOptions& options) {
  const auto finished = finished_tiles(store);
  std::vector<std::int64_t> left;
  for (const Tile& tile : cut_tiles(slide.width(), slide.height(), options.tiling))
    if (!finished.contains(tile.index)) left.push_back(tile.index);
  return left;
}

Progress segment_tiles(const io::WorkingSlide& slide, io::ResultStore& store, const SegmentationOptions& options,
                       TileSource& source, const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  check_options(slide, options);
  return Run(slide, store, options, source, on_progress).work(stop);
}

Progress segment_slide(const io::WorkingSlide& slide, io::ResultStore& store, const SegmentationOptions& options,
                       const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  OwnTiles tiles(tiles_left(slide, store, options));
  return segment_tiles(slide, store, options, tiles, on_progress, stop);
}

}  // namespace starpath
