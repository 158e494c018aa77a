// Submitting the tasks of a field.
#include "pipelines/nbia/field_tasks.hpp"

#include <fmt/format.h>

#include "codelets/kernels/nbia_texture.hpp"
#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/submit_task.hpp"

namespace starpath {
namespace {

constexpr int on_demand = -1;  // StarPU allocates where the data is first written, and frees after the last use

}  // namespace

std::string stage_name(FieldStage stage, int side) {
  constexpr const char* names[] = {"read", "reduce", "statistics", "classify"};
  const char* name = names[static_cast<std::size_t>(stage)];
  return stage == FieldStage::read ? name : fmt::format("{}_{}", name, side);
}

starpu_data_handle_t square_image(int side) {
  starpu_data_handle_t handle = nullptr;
  const auto pixels = static_cast<std::uint32_t>(side);
  starpu_matrix_data_register(&handle, on_demand, 0, pixels, pixels, pixels, sizeof(Rgb));
  return handle;
}

void FieldTasks::read_pixels(View<Rgb> rgb) { slide_->read(x_, y_, rgb); }

void FieldTasks::read(const io::WorkingSlide& slide, std::int64_t x, std::int64_t y, starpu_data_handle_t rgb) {
  static starpu_codelet codelet = codelets::host_codelet<"nbia_read", &FieldTasks::read_pixels, "read">();
  slide_ = &slide;
  x_ = x;
  y_ = y;
  submit(FieldStage::read, codelet, this, {rgb});
}

void FieldTasks::reduce(starpu_data_handle_t rgb, starpu_data_handle_t reduced) {
  submit(FieldStage::reduce, codelets::area_average, &kernel_arguments_, {rgb, reduced});
}

void FieldTasks::judge(starpu_data_handle_t image, const ModelData::Level& level, starpu_data_handle_t vote,
                       int worker) {
  starpu_data_handle_t counts = nullptr;
  starpu_variable_data_register(&counts, on_demand, 0, sizeof(NbiaCounts));
  submit(FieldStage::statistics, codelets::nbia_statistics, &kernel_arguments_, {image, counts}, worker);
  const auto& [mean, deviation, z, labels] = level;
  submit(FieldStage::classify, codelets::nbia_classify, &kernel_arguments_, {counts, mean, deviation, z, labels, vote},
         worker);
  starpu_data_unregister_submit(counts);
}

void FieldTasks::submit(FieldStage stage, starpu_codelet& codelet, void* argument,
                        std::initializer_list<starpu_data_handle_t> data, int worker) {
  starpu_task* task = starpu_task_create();
  task->name = codelet.name;
  task->cl = &codelet;
  task->cl_arg = argument;
  int i = 0;
  for (const starpu_data_handle_t handle : data) task->handles[i++] = handle;
  if (worker >= 0 && starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), task, nullptr) != 0) {
    task->execute_on_a_specific_worker = 1;
    task->workerid = static_cast<unsigned>(worker);
  }
  Tag& tag = tags_[static_cast<std::size_t>(stage)];
  tag = {this, stage, task};
  task->callback_func = on_task_end;
  task->callback_arg = &tag;
  submit_task(task);
  ++pending;
}

void FieldTasks::on_task_end(void* argument) {
  const Tag tag = *static_cast<Tag*>(argument);
  const OnEnd on_end = tag.tasks->on_end_;  // the field may be gone before the call returns
  on_end(tag.stage, end_of(*tag.task));
}

}  // namespace starpath
