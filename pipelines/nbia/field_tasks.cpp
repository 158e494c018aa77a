// Submitting the tasks of a field.
#include "pipelines/nbia/field_tasks.hpp"

#include <fmt/format.h>

#include <utility>

#include "pipelines/run/pixel_facts.hpp"

namespace starpath {
namespace {

double pixels_of(starpu_data_handle_t image) {
  return static_cast<double>(starpu_matrix_get_nx(image)) * starpu_matrix_get_ny(image);
}

}  // namespace

starpu_codelet nbia_read_codelet = codelets::host_codelet<"nbia_read", &FieldTasks::read_pixels, "read">();

std::string stage_name(FieldStage stage, int side) {
  const char* name = kFieldGraph[static_cast<std::size_t>(stage)].name;
  return stage == FieldStage::read ? name : fmt::format("{}_{}", name, side);
}

starpu_data_handle_t square_image(int side) {
  starpu_data_handle_t handle = nullptr;
  const auto pixels = static_cast<std::uint32_t>(side);
  starpu_matrix_data_register(&handle, kOnDemand, 0, pixels, pixels, pixels, sizeof(Rgb));
  return handle;
}

FieldTasks::FieldTasks(std::string place, OnEnd on_end)
    : StageTasks(std::move(place), 0, [on_end = std::move(on_end)](std::size_t stage, const TaskExecution& task) {
        on_end(kFieldGraph[stage].operation, task);
      }) {}

void FieldTasks::read_pixels(View<Rgb> rgb) {
  slide_->read(x_, y_, rgb);
  count_pixel_facts(rgb, facts);
}

void FieldTasks::read(const io::WorkingSlide& slide, std::int64_t x, std::int64_t y, starpu_data_handle_t rgb) {
  slide_ = &slide;
  x_ = x;
  y_ = y;
  buffers_[FieldBuffer::rgb] = rgb;
  facts.set(Fact::pixels, pixels_of(rgb));
  submit_phase(FieldPhase::read);
}

void FieldTasks::reduce(starpu_data_handle_t rgb, starpu_data_handle_t reduced) {
  buffers_[FieldBuffer::rgb] = rgb;
  buffers_[FieldBuffer::image] = reduced;
  submit_phase(FieldPhase::reduce);
}

void FieldTasks::judge(starpu_data_handle_t image, const ModelData::Level& level, starpu_data_handle_t vote) {
  starpu_data_handle_t counts = nullptr;
  starpu_variable_data_register(&counts, kOnDemand, 0, sizeof(NbiaCounts));
  buffers_[FieldBuffer::image] = image;
  buffers_[FieldBuffer::counts] = counts;
  buffers_[FieldBuffer::mean] = level[0];
  buffers_[FieldBuffer::deviation] = level[1];
  buffers_[FieldBuffer::z] = level[2];
  buffers_[FieldBuffer::labels] = level[3];
  buffers_[FieldBuffer::vote] = vote;
  facts.set(Fact::level_pixels, pixels_of(image));
  submit_phase(FieldPhase::judge);
  starpu_data_unregister_submit(counts);
}

void FieldTasks::submit_phase(FieldPhase phase) {
  for (const NbiaStage& stage : kFieldGraph)
    if (stage.phase == phase)
      submit(stage, buffers_, stage.operation == FieldStage::read ? static_cast<void*>(this) : &kernel_arguments_);
}

}  // namespace starpath
