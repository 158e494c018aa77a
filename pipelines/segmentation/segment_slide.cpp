// The segmentation as a pipeline over tiles.
#include "pipelines/segmentation/segment_slide.hpp"

#include <starpu.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/run_constant.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/run/tile_run.hpp"
#include "pipelines/run/values_handle.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"
#include "pipelines/segmentation/survey_first.hpp"
#include "pipelines/segmentation/tile_writer.hpp"
#include "pipelines/survey/probes.hpp"
#include "pipelines/survey/survey_slide.hpp"

namespace starpath {
namespace {

std::unordered_set<std::int64_t> finished_tiles(const io::TileStore& store) {
  std::unordered_set<std::int64_t> finished;
  for (const io::TileRecord& tile : store.tiles())
    if (tile.state != io::TileState::failed) finished.insert(tile.index);
  return finished;
}

/// What of a run is normalised; nothing where the slide's look is unknown.
Normalised normalised_of(const SegmentationOptions& options) {
  return options.look ? normalised_by(options.parameters.normalise) : Normalised::nothing;
}

/// Adds a network for each worker on a core.
MemoryNeed with_networks(MemoryNeed need, const SegmentationOptions& options) {
  if (!has_network(options.parameters)) return need;
  WorkerNetworks& networks = *options.parameters.network;
  need.at_once += networks.bytes() * starpu_worker_get_count_by_type(STARPU_CPU_WORKER) +
                  static_cast<std::int64_t>(networks.network().bytes.size());
  need.whose = "tile, with a network for each worker,";
  need.make_less = "use a smaller --tile or fewer --cpus";
  return need;
}

/// Scratch memory of a GPU worker for tiles of up to so many pixels.
std::size_t gpu_scratch_of(const SegmentationOptions& options, std::int64_t pixels) {
  const std::size_t others = gpu_scratch_bytes(pixels);
  if (!is_learned(options.parameters)) return others;
  return std::max(others, detector_gpu_scratch_bytes(weights_of(options.parameters).channels, pixels));
}

/// The words of a run's network as StarPU's data, which every device that uses them copies once.
class NetworkWords {
 public:
  explicit NetworkWords(const std::vector<std::int32_t>& words) : handle_(values_handle(words)) {}
  ~NetworkWords() { starpu_data_unregister(handle_); }
  NetworkWords(const NetworkWords&) = delete;
  NetworkWords& operator=(const NetworkWords&) = delete;

  starpu_data_handle_t handle() const { return handle_; }

 private:
  const starpu_data_handle_t handle_;
};

class Segmentation : public TilePipeline {
 public:
  Segmentation(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
               const MakeTileLoop& make_loop)
      : slide_(slide),
        options_(options),
        parameters_(pixel_parameters(options.parameters, options.levels, options.target_mpp)),
        stains_(stain_amounts(options.look ? kReferenceLook.stains : options.stains)),
        loop_(make_loop(*this, {window_of(options), options.attempts, options.log})),
        writer_(
            store,
            [this](const io::TileRecord& tile, std::int64_t nuclei) {
              loop_->post([this, tile, nuclei] { loop_->done(done_with(tile, nuclei)); });
            },
            [this](const std::exception_ptr& reason) { loop_->post([this, reason] { loop_->failed(reason); }); }) {
    if (options.look) colours_.emplace(colour_map(*options.look, kReferenceLook));
    if (is_learned(options.parameters)) network_.emplace(weights_of(options.parameters).words);
    const auto finished = finished_tiles(store);
    const std::vector<Tile> tiles = cut_tiles(slide.width(), slide.height(), options.tiling);
    largest_tile_ = largest_region(tiles);
    total_ = tiles.size();
    for (const Tile& tile : tiles)
      if (!finished.contains(tile.index)) tiles_.emplace(tile.index, tile);
  }

  Progress work(const std::atomic<bool>& stop) { return loop_->work(total_, tiles_.size(), stop); }

  std::vector<std::string> prepare_gpus() override {
    if (options_.gpus_prepared) return {};
    return codelets::prepare_gpu_workers(largest_tile_, gpu_scratch_of(options_, largest_tile_));
  }
  std::vector<int> cannot_run() const override {
    if (options_.non_pipelined)
      return runs_here(whole_tile_codelet) ? std::vector<int>{} : std::vector<int>{kSegmentation, kFeatures};
    std::vector<int> stages;
    for (const SegmentationOperation& row : kStageGraph) {
      const int number = row.phase == Phase::measure ? kFeatures : kSegmentation;
      if (!is_left_out(row.operation, options_.families, normalised_of(options_), detection_of(options_)) &&
          !runs_here(*row.codelet) && !std::ranges::count(stages, number))
        stages.push_back(number);
    }
    return stages;
  }
  MemoryNeed memory_need() const override {
    return with_networks(
        memory_need_of(largest_tile_, normalised_of(options_), options_.families, detection_of(options_)), options_);
  }
  std::unique_ptr<TileJob> make_job(std::int64_t tile) override {
    return std::make_unique<SegmentationJob>(
        tiles_.at(tile), options_, parameters_,
        RunData{stains_.handle(), colours_ ? colours_->handle() : nullptr, network_ ? network_->handle() : nullptr,
                has_network(options_.parameters) ? options_.parameters.network.get() : nullptr,
                normalised_of(options_)},
        slide_, *loop_);
  }
  JudgingTraits judging() const override {
    return {"segmentation_judging", {Fact::pixels, Fact::tissue_pixels, Fact::dark_pixels}};
  }
  void finish(TileJob& job, const std::string& error) override {
    writer_.push(static_cast<SegmentationJob&>(job).take_result(error));
  }

 private:
  TileDone done_with(const io::TileRecord& tile, std::int64_t nuclei) const {
    const std::string place = place_of("tile", tile.index, {tile.x, tile.y, tile.width, tile.height});
    return {tile.index, tile.state == io::TileState::failed, tile.state == io::TileState::background, nuclei,
            tile.error.empty() ? "" : failure_text(place, tile.error, options_.attempts)};
  }

  const io::WorkingSlide& slide_;
  const SegmentationOptions& options_;
  const PixelParameters parameters_;
  const RunConstant<StainAmountTable> stains_;  // tasks use it: it ends after the run
  std::optional<RunConstant<ColourMap>> colours_;
  std::optional<NetworkWords> network_;
  std::size_t total_ = 0;
  std::unordered_map<std::int64_t, Tile> tiles_;  // that may be given
  std::int64_t largest_tile_ = 0;                 // pixels
  const std::unique_ptr<TileLoop> loop_;
  TileWriter writer_;  // last: it ends before what it uses
};

}  // namespace

// One tile a worker computes on, one that waits for it, and one between its phases or being read.
std::size_t window_of(const SegmentationOptions& options) {
  return options.window > 0 ? static_cast<std::size_t>(options.window) : std::size_t{3} * starpu_worker_get_count();
}

std::vector<std::string> prepare_gpus_for_slides(const SegmentationOptions& options) {
  const std::int64_t side = std::max(options.tiling.tile + 2 * std::max(halo_of(options), options.tiling.cell),
                                     kSurveyField + 2 * kSurveyMargin);
  return codelets::prepare_gpu_workers(side * side, gpu_scratch_of(options, side * side));
}

std::vector<std::int64_t> tiles_left(const io::WorkingSlide& slide, const io::TileStore& store,
                                     const SegmentationOptions& options) {
  const auto finished = finished_tiles(store);
  std::vector<std::int64_t> left;
  for (const Tile& tile : cut_tiles(slide.width(), slide.height(), options.tiling))
    if (!finished.contains(tile.index)) left.push_back(tile.index);
  return left;
}

MemoryNeed memory_need_of(const io::WorkingSlide& slide, const SegmentationOptions& options) {
  const MemoryNeed tile =
      with_networks(memory_need_of(largest_region(cut_tiles(slide.width(), slide.height(), options.tiling)),
                                   normalised_of(options), options.families, detection_of(options)),
                    options);
  if (!wants_survey(options.parameters)) return tile;
  const MemoryNeed field = survey_memory_need(slide, options.tiling.roi, options.tiling.wanted);
  return field.at_once > tile.at_once ? field : tile;
}

Progress segment_tiles(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       const MakeTileLoop& make_loop, const std::atomic<bool>& stop) {
  check_options(slide, options);
  return Segmentation(slide, store, options, make_loop).work(stop);
}

Progress segment_tiles(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       TileSource& source, const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  return segment_tiles(slide, store, options, tile_runs(source, on_progress), stop);
}

Progress segment_slide(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  TileList tiles(tiles_left(slide, store, options), segmentation_workflow());
  return segment_tiles(slide, store, options, tiles, on_progress, stop);
}

}  // namespace starpath
