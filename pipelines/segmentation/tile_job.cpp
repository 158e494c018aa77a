// Buffers and tasks of one tile.
#include "pipelines/segmentation/tile_job.hpp"

#include "base/error.hpp"
#include "codelets/kernels/background.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/fetch.hpp"
#include "pipelines/run/submit_task.hpp"
#include "pipelines/segmentation/host_codelets.hpp"

namespace starpath {
namespace {

starpu_codelet& codelet_of(Stage stage) {
  switch (stage) {
    case Stage::read:
      return read_codelet;
    case Stage::background:
      return codelets::background;
    case Stage::count_background:
      return codelets::count_background;
    case Stage::rbc:
      return codelets::rbc;
    case Stage::morph_open:
      return codelets::morph_open;
    case Stage::recon_to_nuclei:
      return codelets::recon_to_nuclei;
    case Stage::fill_holes:
      return codelets::fill_holes;
    case Stage::area_threshold:
      return codelets::area_threshold;
    case Stage::select:
      return codelets::select;
    case Stage::pre_watershed:
      return codelets::pre_watershed;
    case Stage::watershed:
      return codelets::watershed;
    case Stage::bwlabel:
      return codelets::bwlabel;
    case Stage::object_boxes:
      return codelets::object_boxes;
    case Stage::ownership:
      return ownership_codelet;
    case Stage::features:
      return codelets::features;
    case Stage::collect:
      return collect_codelet;
  }
  throw Error(ErrorKind::internal, "unknown stage");
}

std::size_t bytes_per_pixel(Buffer buffer) {
  switch (buffer) {
    case Buffer::rgb:
      return sizeof(Rgb);
    case Buffer::depth:
      return sizeof(std::uint16_t);
    case Buffer::labels:
      return sizeof(std::int32_t);
    default:
      return sizeof(std::uint8_t);
  }
}

}  // namespace

TileJob::TileJob(const Tile& the_tile, std::int64_t cell, const io::WorkingSlide& slide, EventQueue& events)
    : tile(the_tile),
      status(place_of("tile", the_tile.index, the_tile.core)),
      cell_(cell),
      slide_(slide),
      events_(events),
      kernel_arguments_{&status, {static_cast<int>(tile.region.x), static_cast<int>(tile.region.y)}},
      cell_columns_((tile.region.right() - 1) / cell - tile.region.x / cell + 1),
      cell_rows_((tile.region.bottom() - 1) / cell - tile.region.y / cell + 1),
      cells_(static_cast<std::size_t>(cell_columns_ * cell_rows_)) {}

TileJob::~TileJob() { release(); }

void TileJob::submit(Phase next) {
  phase = next;
  for (const StageSpec& spec : stage_graph)
    if (spec.phase == next) submit_stage(spec);
}

void TileJob::register_buffer(Buffer buffer) {
  starpu_data_handle_t& target = handle(buffer);
  const auto objects = static_cast<std::uint32_t>(count_);
  constexpr int on_demand = -1;  // StarPU allocates where the data is first written, and frees after the last use
  switch (buffer) {
    case Buffer::cells:
      starpu_matrix_data_register(&target, on_demand, 0, static_cast<std::uint32_t>(cell_columns_),
                                  static_cast<std::uint32_t>(cell_columns_), static_cast<std::uint32_t>(cell_rows_),
                                  sizeof(std::uint32_t));
      return;
    case Buffer::count:
      starpu_variable_data_register(&target, on_demand, 0, sizeof count_);
      return;
    case Buffer::boxes:
      starpu_vector_data_register(&target, on_demand, 0, objects, sizeof(ObjectBox));
      return;
    case Buffer::roles:
      starpu_vector_data_register(&target, on_demand, 0, objects, sizeof(std::uint8_t));
      return;
    case Buffer::table:
      starpu_matrix_data_register(&target, on_demand, 0, feature_count, feature_count, objects, sizeof(double));
      return;
    default: {
      const auto width = static_cast<std::uint32_t>(tile.region.width);
      starpu_matrix_data_register(&target, on_demand, 0, width, width, static_cast<std::uint32_t>(tile.region.height),
                                  bytes_per_pixel(buffer));
    }
  }
}

void* TileJob::argument_of(Stage stage) {
  switch (stage) {
    case Stage::read:
    case Stage::ownership:
    case Stage::collect:
      return this;
    default:
      return &kernel_arguments_;
  }
}

void TileJob::submit_stage(const StageSpec& spec) {
  starpu_task* task = starpu_task_create();
  task->name = spec.name.data();
  task->cl = &codelet_of(spec.stage);
  task->cl_arg = argument_of(spec.stage);
  task->priority = -static_cast<int>(tile.index);  // older tiles first: then few hold buffers half way
  std::size_t i = 0;
  for (const Buffer buffer : spec.reads) task->handles[i++] = handle(buffer);
  for (const Buffer buffer : spec.writes) {
    register_buffer(buffer);
    task->handles[i++] = handle(buffer);
  }
  TaskTag& tag = tags_[static_cast<std::size_t>(spec.stage)];
  tag = {this, spec.stage, task};
  task->callback_func = on_task_end;
  task->callback_arg = &tag;
  submit_task(task);
  ++pending;
  // count and cells are fetched between phases; release() lets go of them.
  for (const Buffer buffer : spec.reads) {
    if (!is_last_reader(spec.stage, buffer)) continue;
    starpu_data_unregister_submit(handle(buffer));
    handle(buffer) = nullptr;
  }
}

void TileJob::on_task_end(void* argument) {
  const TaskTag& tag = *static_cast<TaskTag*>(argument);
  tag.job->events_.push(TaskEnded{tag.job, tag.stage, end_of(*tag.task)});
}

bool TileJob::all_glass() {
  fetch(handle(Buffer::cells), cells_.data(), cells_.size() * sizeof cells_[0]);
  return tissue().all_glass();
}

std::int32_t TileJob::object_count() {
  fetch(handle(Buffer::count), &count_, sizeof count_);
  return count_;
}

void TileJob::release() {
  for (starpu_data_handle_t& left : handles_) {
    if (left != nullptr) starpu_data_unregister_no_coherency(left);
    left = nullptr;
  }
}

TissueMask TileJob::tissue() const {
  return TissueMask(tile, cell_, slide_.width(), slide_.height(), cells_, cell_columns_);
}

}  // namespace starpath
