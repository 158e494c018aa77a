// Buffers and tasks of one field.
#include "pipelines/nbia/field_job.hpp"

#include "base/error.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"
#include "pipelines/fetch.hpp"

namespace starpath {
namespace {

constexpr int on_demand = -1;  // StarPU allocates where the data is first written, and frees after the last use

void run_read(void* buffers[], void* cl_arg) {
  auto& job = *static_cast<FieldJob*>(cl_arg);
  codelets::run_on_cpu(&job.status, "read", [&](const Context&) { job.read(codelets::image<Rgb>(buffers[0])); });
}

starpu_perfmodel read_model = codelets::history_model("starpath_nbia_read");
starpu_codelet read_codelet = codelets::make_codelet("nbia_read", run_read, &read_model, {STARPU_W});

starpu_data_handle_t square_image(int side) {
  starpu_data_handle_t handle = nullptr;
  const auto pixels = static_cast<std::uint32_t>(side);
  starpu_matrix_data_register(&handle, on_demand, 0, pixels, pixels, pixels, sizeof(Rgb));
  return handle;
}

}  // namespace

FieldJob::FieldJob(const Field& the_field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
                   FieldEventQueue& events)
    : field(the_field),
      status(place_of("field", the_field.index, the_field.core)),
      model_(model),
      data_(data),
      slide_(slide),
      events_(events) {}

void FieldJob::look(std::size_t at_level) {
  level = at_level;
  const NbiaLevel& known = model_.levels[level];
  if (rgb_ == nullptr) {
    rgb_ = square_image(model_.field());
    starpu_variable_data_register(&voted_, on_demand, 0, sizeof vote_);
    submit(FieldStage::read, read_codelet, this, {rgb_});
  }
  starpu_data_handle_t image = rgb_, counts = nullptr;
  if (known.side != model_.field()) {
    image = square_image(known.side);
    submit(FieldStage::reduce, codelets::area_average, &status, {rgb_, image});
  }
  starpu_variable_data_register(&counts, on_demand, 0, sizeof(NbiaCounts));
  submit(FieldStage::statistics, codelets::nbia_statistics, &status, {image, counts});
  const auto& [mean, deviation, z, labels] = data_.level(level);
  submit(FieldStage::classify, codelets::nbia_classify, &status, {counts, mean, deviation, z, labels, voted_});
  starpu_data_unregister_submit(counts);
  if (image != rgb_) starpu_data_unregister_submit(image);
}

void FieldJob::submit(FieldStage stage, starpu_codelet& codelet, void* argument,
                      std::initializer_list<starpu_data_handle_t> data) {
  starpu_task* task = starpu_task_create();
  task->name = codelet.name;
  task->cl = &codelet;
  task->cl_arg = argument;
  int i = 0;
  for (const starpu_data_handle_t handle : data) task->handles[i++] = handle;
  TaskTag& tag = tags_[static_cast<std::size_t>(stage)];
  tag = {this, stage, task};
  task->callback_func = on_task_end;
  task->callback_arg = &tag;
  if (const int error = starpu_task_submit(task); error != 0) {
    task->destroy = 0;
    starpu_task_destroy(task);
    throw Error(ErrorKind::runtime, std::string("no StarPU worker can run '") + codelet.name +
                                        "': start with at least one CPU worker (see STARPU_NCPU)");
  }
  ++pending;
}

void FieldJob::on_task_end(void* argument) {
  const TaskTag& tag = *static_cast<TaskTag*>(argument);
  tag.job->events_.push(FieldEvent{tag.job, tag.stage, end_of(*tag.task)});
}

NbiaVote FieldJob::vote() {
  if (voted_ != nullptr) fetch(voted_, &vote_, sizeof vote_);
  return vote_;
}

void FieldJob::release() {
  for (starpu_data_handle_t* const handle : {&rgb_, &voted_}) {
    if (*handle != nullptr) starpu_data_unregister_no_coherency(*handle);
    *handle = nullptr;
  }
}

}  // namespace starpath
