// The loop that keeps a window of tiles in flight.
#include "pipelines/segmentation/segment_slide.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <deque>
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
#include "pipelines/segmentation/events.hpp"
#include "pipelines/segmentation/tile_job.hpp"
#include "pipelines/segmentation/tile_writer.hpp"

namespace starpath {
namespace {

class Run {
 public:
  Run(const io::WorkingSlide& slide, io::ResultStore& store, const SegmentationOptions& options,
      const ProgressCallback& on_progress)
      : slide_(slide), store_(store), options_(options), on_progress_(on_progress) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    find_tiles();
  }
  // Tasks hold addresses of jobs: whatever ends the run, they end first.
  ~Run() { starpu_task_wait_for_all(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Progress work(const std::atomic<bool>& stop) {
    const auto window = static_cast<std::size_t>(options_.window > 0 ? options_.window : default_window());
    if (options_.log != nullptr) options_.log->begun = starpu_timing_now();
    report("");
    const std::int64_t pixels = largest_tile();
    for (const std::string& note : codelets::prepare_gpu_workers(pixels, gpu_scratch_bytes(pixels))) {
      progress_.note = note;
      report("");
    }
    progress_.note.clear();
    while (true) {
      while (jobs_.size() < window && writing_ < window && !todo_.empty() && !stop) start_next();
      if (jobs_.empty() && writing_ == 0) break;
      std::visit([&](const auto& event) { handle(event); }, events_.pop());
    }
    if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
    progress_.interrupted = !todo_.empty();
    return progress_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // One tile a worker computes on, one that waits for it, and one between its phases or being read.
  static int default_window() { return 3 * static_cast<int>(starpu_worker_get_count()); }

  void find_tiles() {
    std::unordered_set<std::int64_t> finished;
    for (const io::TileRecord& tile : store_.tiles())
      if (tile.state != io::TileState::failed) finished.insert(tile.index);
    const std::vector<Tile> tiles = cut_tiles(slide_.width(), slide_.height(), options_.tiling);
    for (const Tile& tile : tiles)
      if (!finished.contains(tile.index)) todo_.push_back(tile);
    progress_.tiles_total = static_cast<std::int64_t>(tiles.size());
    progress_.tiles_resumed = progress_.tiles_total - static_cast<std::int64_t>(todo_.size());
    progress_.tiles_done = progress_.tiles_resumed;
  }

  std::int64_t largest_tile() const {
    std::int64_t pixels = 0;
    for (const Tile& tile : todo_) pixels = std::max(pixels, tile.region.width * tile.region.height);
    return pixels;
  }

  void start_next() {
    auto job = std::make_unique<TileJob>(todo_.front(), options_.tiling.cell, slide_, events_);
    todo_.pop_front();
    TileJob& started = *job;
    jobs_.emplace(&started, std::move(job));
    started.attempts = 1;
    started.submit(Phase::tissue);
  }

  void handle(const TaskEnded& event) {
    TileJob& job = *event.job;
    (event.stage == Stage::read ? job.read_seconds : job.compute_seconds) += event.run.seconds();
    const std::string stage = std::string(spec_of(event.stage).name);
    StageShare& share = progress_.shares[event.run.kind][stage];
    ++share.tasks;
    share.seconds += event.run.seconds();
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
    ++progress_.tiles_done;
    progress_.tiles_failed += tile.state == io::TileState::failed;
    progress_.tiles_skipped += tile.state == io::TileState::background;
    progress_.found += event.nuclei;
    report(tile.error.empty() ? ""
                              : fmt::format("{}: {} ({} attempts)",
                                            place_of("tile", tile.index, {tile.x, tile.y, tile.width, tile.height}),
                                            tile.error, options_.attempts));
  }

  [[noreturn]] void handle(const WritingFailed& event) { std::rethrow_exception(event.reason); }

  void report(const std::string& failure) {
    progress_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (on_progress_) on_progress_(progress_, failure);
  }

  const io::WorkingSlide& slide_;
  io::ResultStore& store_;
  const SegmentationOptions& options_;
  const ProgressCallback& on_progress_;
  const Clock::time_point begin_ = Clock::now();
  Progress progress_;
  std::deque<Tile> todo_;
  EventQueue events_;
  std::unordered_map<TileJob*, std::unique_ptr<TileJob>> jobs_;  // in flight
  std::size_t writing_ = 0;                                      // finished, but not known to be committed
  TileWriter writer_{store_, events_};                           // last: it ends before what it uses
};

}  // namespace

Progress segment_slide(const io::WorkingSlide& slide, io::ResultStore& store, const SegmentationOptions& options,
                       const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  check_options(slide, options);
  return Run(slide, store, options, on_progress).work(stop);
}

}  // namespace starpath
