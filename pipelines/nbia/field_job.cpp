// Buffers and tasks of one field.
#include "pipelines/nbia/field_job.hpp"

#include "pipelines/run/fetch.hpp"

namespace starpath {

FieldJob::FieldJob(const Field& field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
                   double recalc_rate, TileRun& run)
    : field_(field),
      model_(model),
      data_(data),
      recalc_rate_(recalc_rate),
      tasks_(place_of("field", field.index, field.core),
             [this, &run](FieldStage stage, const TaskExecution& task) {
               run.post([this, &run, stage, task] {
                 run.task_ended(*this, stage_name(stage, side()), stage == FieldStage::read, task);
               });
             }),
      images_(field_, slide, model) {}

void FieldJob::look(std::size_t level) {
  level_ = level;
  if (voted_ == nullptr) starpu_variable_data_register(&voted_, kOnDemand, 0, sizeof(NbiaVote));
  images_.prepare(tasks_, level);
  tasks_.judge(images_.image.handle, data_.level(level), voted_);
  if (images_.image.temporary) starpu_data_unregister_submit(images_.image.handle);
  images_.image = {};
}

bool FieldJob::advance() {
  NbiaVote vote{};
  fetch(voted_, &vote, sizeof vote);
  decision_ = decide(vote, model_, field_.index, level_, recalc_rate_);
  if (decision_) return false;
  look(level_ + 1);
  return true;
}

void FieldJob::release() {
  images_.release();
  if (voted_ != nullptr) starpu_data_unregister_no_coherency(voted_);
  voted_ = nullptr;
}

}  // namespace starpath
