// Buffers and tasks of one field.
#include "pipelines/nbia/field_job.hpp"

#include "pipelines/run/fetch.hpp"

namespace starpath {

FieldJob::FieldJob(const Field& the_field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
                   FieldEventQueue& events)
    : field(the_field),
      tasks(place_of("field", the_field.index, the_field.core),
            [this, &events](FieldStage stage, const TaskRun& run) {
              events.push(FieldEvent{this, stage, run});
            }),
      model_(model),
      data_(data),
      slide_(slide) {}

void FieldJob::look(std::size_t at_level) {
  level = at_level;
  const NbiaLevel& known = model_.levels[level];
  if (rgb_ == nullptr) {
    rgb_ = square_image(model_.field());
    starpu_variable_data_register(&voted_, -1, 0, sizeof vote_);
    tasks.read(slide_, field.x, field.y, rgb_);
  }
  starpu_data_handle_t image = rgb_;
  if (known.side != model_.field()) {
    image = square_image(known.side);
    tasks.reduce(rgb_, image);
  }
  tasks.judge(image, data_.level(level), voted_);
  if (image != rgb_) starpu_data_unregister_submit(image);
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
