// One tile on its way through the segmentation: its buffers, its tasks, what comes out.
#pragma once
#include <starpu.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/nucleus_regions.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/networks/worker_networks.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tiling.hpp"
#include "pipelines/segmentation/host_buffers.hpp"
#include "pipelines/segmentation/instance_labels.hpp"
#include "pipelines/segmentation/options.hpp"
#include "pipelines/segmentation/ownership.hpp"
#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath {

/// Constants of a run, for its tiles.
struct RunData {
  starpu_data_handle_t stains;   // StainAmountTable
  starpu_data_handle_t colours;  // ColourMap; nullptr where nothing is normalised
  starpu_data_handle_t network;  // words of the learned detector; nullptr for other detectors
  WorkerNetworks* networks;      // of an ONNX file; nullptr for other detectors
  Normalised normalised = Normalised::nothing;
};

/// The memory that a tile of `pixels` pixels with few nuclei needs.
MemoryNeed memory_need_of(std::int64_t pixels, Normalised normalised, const FamilySet& families,
                          Detection detection = Detection::levels);

class SegmentationJob : public TileJob {
 public:
  /// The job's events go to `run`.
  SegmentationJob(const Tile& tile, const SegmentationOptions& options, const PixelParameters& parameters,
                  const RunData& data, const io::WorkingSlide& slide, TileLoop& loop);
  ~SegmentationJob() override { release(); }

  void start(int stage) override;
  bool advance() override;
  bool over() const override {
    return all_glass_ || object_count_ == 0 || instance.stage == kFeatures || non_pipelined_;
  }
  void reset() override;
  StageTasks& tasks() override { return tasks_; }
  /// Packs what the stage kSegmentation found: times, tissue mask, and labels as runs of equal pixels
  /// (tile_travel.cpp).
  std::optional<std::string> pack(int stage) override;
  void unpack(int stage, const std::string& bytes) override;
  /// The buffer holds the pixels, and its note the gaps in them (tile_travel.cpp). One round judges both stages.
  void read(int round) override;
  TileBuffer buffer(int round) override;
  void judge(int round, TileBuffer buffer) override;

  /// What is to be stored of the tile once it is finished, or given up (`error` not empty). A tile of which a part
  /// could not be read has failed, and keeps the nuclei that do not touch the gap. Once only.
  io::TileResult take_result(const std::string& error);

  // What the codelets do that only CPUs run (stage_graph.hpp), on a worker's thread.
  /// All operations, by the first CPU implementation of each (whole_tile.cpp).
  void compute_whole();
  /// At the last attempt, what cannot be read is a gap.
  void read_pixels(View<Rgb> rgb);
  /// Scores by the worker's network.
  void infer(View<const Rgb> rgb, View<std::uint8_t> nucleus, View<std::uint8_t> core);
  /// Nuclei by the worker's network, where that gives polygons.
  void infer_labels(View<const Rgb> rgb, View<std::int32_t> labels, std::int32_t* count);
  /// From the maps of the run.
  void read_scores(View<std::uint8_t> nucleus, View<std::uint8_t> core);
  void read_labels(View<std::int32_t> labels, std::int32_t* count);
  /// Also gives the wanted nuclei their places among the masks.
  void assign_roles(std::span<const ObjectBox> boxes, std::span<std::uint8_t> roles, std::span<MaskPlace> places);
  void collect(View<const std::int32_t> labels, std::span<const ObjectBox> boxes, std::span<const std::uint8_t> roles,
               View<const double> shape, View<const double> intensity, View<const double> gradient,
               View<const double> edges, View<const double> texture);

 private:
  void submit(Phase next);
  BufferShape shape_of(Buffer buffer) const;
  void register_buffer(Buffer buffer);
  void* argument_of(Operation operation);
  void submit_operation(const SegmentationOperation& row);
  void submit_operation(Operation operation) { submit_operation(row_of(operation)); }
  /// One operation of compute_whole().
  void compute(const SegmentationOperation& row, HostBuffers& buffers);
  /// What normalise_first wrote takes the place of the pixels.
  void take_recoloured();
  /// Hands on what an operation that is left out would have changed, or an empty table in place of its own.
  void leave_out(const SegmentationOperation& row);
  bool is_left_out(Operation operation) const {
    return starpath::is_left_out(operation, families_, normalised_, detection_);
  }
  void let_go_after(const SegmentationOperation& row);
  bool fetch_glass();
  bool fetch_object_count();
  void release();
  TissueMask tissue() const;
  /// Whether the box, of working pixels, reaches a gap.
  bool meets_gap(const Rect& box) const;
  /// What is missing of the tile; empty when nothing is.
  std::string gaps_text() const;

  const Tile tile_;
  const std::int64_t cell_;
  const int tries_;
  const bool gaps_fail_;
  const int glass_share_;
  const FamilySet families_;
  const Normalised normalised_;
  const Detection detection_;
  const InstanceMaps* const maps_;
  const InstanceLimits instance_limits_;
  WorkerNetworks* const networks_;
  const bool non_pipelined_;
  const io::WorkingSlide& slide_;
  StageTasks tasks_;
  std::array<TaskArguments, kOperationCount> kernel_arguments_;
  Buffers<Buffer, kBufferCount> buffers_;
  Phase phase_ = Phase::tissue;  // the last one submitted
  bool all_glass_ = false;
  std::int64_t cell_columns_, cell_rows_;
  std::vector<std::uint32_t> cells_;
  std::int32_t object_count_ = 0;
  std::vector<io::Gap> gaps_;                 // of the region
  bool nuclei_lost_ = false;                  // to a gap
  std::vector<io::NucleusRecord> nuclei_;     // filled by collect, without features,
  std::shared_ptr<const io::TileRows> rows_;  // which are in these
};

}  // namespace starpath
