// One tile on its way through StarPU: its buffers, its tasks, what comes out.
#pragma once
#include <starpu.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/starpu/task_status.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/tiling.hpp"
#include "pipelines/segmentation/events.hpp"
#include "pipelines/segmentation/ownership.hpp"
#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath {

/// Used by the thread that runs the pipeline, and by one task at a time. Tasks hold its address: it must not move, and
/// must not be destroyed before its last event has come.
class TileJob {
 public:
  TileJob(const Tile& tile, std::int64_t cell, const io::WorkingSlide& slide, EventQueue& events);
  ~TileJob();
  TileJob(const TileJob&) = delete;
  TileJob& operator=(const TileJob&) = delete;

  /// Submits the stages of a phase; each sends an event when it ends. Throws Error{runtime} when no worker can run one.
  void submit(Phase next);

  /// After Phase::tissue, unless the tile has failed. Fetches the cell counts.
  bool all_glass();
  /// After Phase::segment, unless the tile has failed. Fetches the number of objects.
  std::int32_t object_count();
  /// After the last event: lets go of the buffers that are left, so that the tile can be dropped or tried again.
  void release();

  // What the host codelets do (host_codelets.cpp); they run on worker threads.
  void read(View<Rgb> rgb);
  void assign_roles(std::span<const ObjectBox> boxes, std::span<std::uint8_t> roles);
  void collect(View<const std::int32_t> labels, std::span<const ObjectBox> boxes, std::span<const std::uint8_t> roles,
               View<const double> table);

  const Tile tile;
  TaskStatus status;
  std::vector<io::NucleusRecord> nuclei;  // filled by collect
  double read_seconds = 0, compute_seconds = 0;
  int attempts = 0;
  Phase phase = Phase::tissue;  // the last one submitted
  int pending = 0;              // tasks submitted whose event has not been handled

 private:
  struct TaskTag {
    TileJob* job;
    Stage stage;
    starpu_task* task;
  };
  void register_buffer(Buffer buffer);
  void submit_stage(const StageSpec& spec);
  void* argument_of(Stage stage);
  static void on_task_end(void* tag);
  starpu_data_handle_t& handle(Buffer buffer) { return handles_[static_cast<std::size_t>(buffer)]; }
  TissueMask tissue() const;

  const std::int64_t cell_;
  const io::WorkingSlide& slide_;
  EventQueue& events_;
  std::array<starpu_data_handle_t, buffer_count> handles_{};
  std::array<TaskTag, stage_count> tags_{};
  TaskArguments kernel_arguments_;
  std::int64_t cell_columns_, cell_rows_;
  std::vector<std::uint32_t> cells_;
  std::int32_t count_ = 0;
};

}  // namespace starpath
