// Declared pipelines as pipelines over tiles.
#include "pipelines/declared/run_declared.hpp"

#include <starpu.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "pipelines/declared/declared_job.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/run/tile_run.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

std::vector<Tile> tiles_of(const io::WorkingSlide& slide, const DeclaredPipeline& pipeline, const Rect& roi) {
  const declare::Split& split = pipeline.declared().split;
  return cut_tiles(slide.width(), slide.height(), {.tile = split.side, .halo = split.halo, .cell = 1, .roi = roi});
}

std::unordered_set<std::int64_t> finished_tiles(const io::RowStore& store) {
  std::unordered_set<std::int64_t> finished;
  for (const io::RowRecord& row : store.rows())
    if (!row.failed) finished.insert(row.tile);
  return finished;
}

class Declared : public TilePipeline {
 public:
  Declared(const io::WorkingSlide& slide, io::RowStore& store, const DeclaredPipeline& pipeline,
           const DeclaredOptions& options, const MakeTileLoop& make_loop)
      : slide_(slide),
        store_(store),
        pipeline_(pipeline),
        loop_(make_loop(*this, {options.window > 0 ? static_cast<std::size_t>(options.window)
                                                   : std::size_t{3} * starpu_worker_get_count(),
                                options.attempts, options.log})) {
    const auto finished = finished_tiles(store);
    const std::vector<Tile> tiles = tiles_of(slide, pipeline, options.roi);
    largest_tile_ = largest_region(tiles);
    total_ = tiles.size();
    for (const Tile& tile : tiles)
      if (!finished.contains(tile.index)) tiles_.emplace(tile.index, tile);
  }

  Progress work(const std::atomic<bool>& stop) { return loop_->work(total_, tiles_.size(), stop); }

  std::vector<std::string> prepare_gpus() override { return {}; }
  std::vector<int> cannot_run() const override {
    std::vector<int> stages;
    for (const DeclaredOperation& operation : pipeline_.operations()) {
      const bool wants_made = std::ranges::any_of(
          operation.reads, [&](std::size_t number) { return pipeline_.data()[number].is_made_by_job(); });
      const bool runs = runs_here(operation.codelet) && (!wants_made || runs_here(declared_read_codelet));
      if (!runs && std::ranges::count(stages, operation.stage) == 0) stages.push_back(operation.stage);
    }
    return stages;
  }
  MemoryNeed memory_need() const override { return memory_need_of(pipeline_, largest_tile_); }
  std::unique_ptr<TileJob> make_job(std::int64_t tile) override {
    return std::make_unique<DeclaredJob>(tiles_.at(tile), pipeline_, slide_, *loop_);
  }
  JudgingTraits judging() const override {
    const declare::Pipeline& declared = pipeline_.declared();
    return {"workflow " + declared.name + " " + declared.version, {Fact::pixels, Fact::tissue_pixels}};
  }
  void finish(TileJob& finished, const std::string& error) override {
    auto& job = static_cast<DeclaredJob&>(finished);
    const Rect& core = job.tile().core;
    const bool failed = !error.empty();
    store_.commit({job.tile().index, core.x, core.y, core.width, core.height, failed,
                   failed ? std::vector<double>{} : job.row(), job.read_seconds, job.compute_seconds, error});
    loop_->done({job.tile().index, failed, false, failed ? 0 : 1,
                 failed ? failure_text(job.tasks().status.place(), error, job.attempts) : ""});
  }

 private:
  const io::WorkingSlide& slide_;
  io::RowStore& store_;
  const DeclaredPipeline& pipeline_;
  std::size_t total_ = 0;
  std::int64_t largest_tile_ = 0;                 // pixels
  std::unordered_map<std::int64_t, Tile> tiles_;  // that may be given
  const std::unique_ptr<TileLoop> loop_;          // last: its tasks end before what they use
};

}  // namespace

io::RunKey declared_run_key(const io::SlideInfo& slide, const DeclaredPipeline& pipeline,
                            const DeclaredOptions& options) {
  const declare::Pipeline& declared = pipeline.declared();
  nlohmann::json parameters = {
      {"pipeline", "workflow " + declared.name},
      {"definition", declared.version},
      {"side", declared.split.side},
      {"halo", declared.split.halo},
      {"mpp", declared.split.mpp},
      {"slide_mpp", options.slide_mpp},
      {"columns", declared.result.columns},
      {"roi", {options.roi.x, options.roi.y, options.roi.width, options.roi.height}},
  };
  if (slide.place) parameters["bounds"] = bounds_of(slide);
  return {slide.fingerprint, version, parameters.dump()};
}

std::vector<std::int64_t> declared_tiles_left(const io::WorkingSlide& slide, const io::RowStore& store,
                                              const DeclaredPipeline& pipeline, const DeclaredOptions& options) {
  const auto finished = finished_tiles(store);
  std::vector<std::int64_t> left;
  for (const Tile& tile : tiles_of(slide, pipeline, options.roi))
    if (!finished.contains(tile.index)) left.push_back(tile.index);
  return left;
}

MemoryNeed memory_need_of(const io::WorkingSlide& slide, const DeclaredPipeline& pipeline,
                          const DeclaredOptions& options) {
  return memory_need_of(pipeline, largest_region(tiles_of(slide, pipeline, options.roi)));
}

Progress run_declared(const io::WorkingSlide& slide, io::RowStore& store, const DeclaredPipeline& pipeline,
                      const DeclaredOptions& options, const MakeTileLoop& make_loop, const std::atomic<bool>& stop) {
  check_run_options(slide, options.roi, options.window);
  return Declared(slide, store, pipeline, options, make_loop).work(stop);
}

Progress run_declared(const io::WorkingSlide& slide, io::RowStore& store, const DeclaredPipeline& pipeline,
                      const DeclaredOptions& options, TileSource& source, const ProgressCallback& on_progress,
                      const std::atomic<bool>& stop) {
  return run_declared(slide, store, pipeline, options, tile_runs(source, on_progress), stop);
}

}  // namespace starpath
