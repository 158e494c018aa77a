// Buffers and tasks of one field.
#include "pipelines/nbia/field_job.hpp"

#include "pipelines/nbia/decision.hpp"
#include "pipelines/run/fetch.hpp"

namespace starpath {

FieldJob::FieldJob(const Field& field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
                   double recalc_rate, TileRun& run)
    : field_(field),
      model_(model),
      data_(data),
      slide_(slide),
      recalc_rate_(recalc_rate),
      tasks_(place_of("field", field.index, field.core), [this, &run](FieldStage stage, const TaskRun& task) {
        run.post([this, &run, stage, task] {
          run.task_ended(*this, stage_name(stage, side()), stage == FieldStage::read, task);
        });
      }) {}

void FieldJob::look(std::size_t level) {
  level_ = level;
  if (rgb_ == nullptr) {
    rgb_ = square_image(model_.field());
    starpu_variable_data_register(&voted_, on_demand, 0, sizeof vote_);
    tasks_.read(slide_, field_.x, field_.y, rgb_);
  }
  starpu_data_handle_t image = rgb_;
  if (side() != model_.field()) {
    image = square_image(side());
    tasks_.reduce(rgb_, image);
  }
  tasks_.judge(image, data_.level(level), voted_);
  if (image != rgb_) starpu_data_unregister_submit(image);
}

bool FieldJob::advance() {
  const bool last = level_ + 1 == model_.levels.size();
  if (last || !is_recalculated(vote(), field_.index, static_cast<int>(level_), recalc_rate_)) return false;
  look(level_ + 1);
  return true;
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
