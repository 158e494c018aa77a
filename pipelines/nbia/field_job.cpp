// Buffers and tasks of one field.
#include "pipelines/nbia/field_job.hpp"

#include <utility>

#include "pipelines/run/fetch.hpp"

namespace starpath {

FieldJob::FieldJob(const Field& field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
                   double recalc_rate, TileLoop& loop)
    : field_(field),
      model_(model),
      data_(data),
      recalc_rate_(recalc_rate),
      tasks_(place_of("field", field.index, field.core),
             [this, &loop](FieldStage stage, const TaskExecution& task) {
               loop.post([this, &loop, stage, task] {
                 loop.task_ended(*this, stage_name(stage, side()), stage == FieldStage::read, task);
               });
             }),
      images_(field_, slide, model) {}

void FieldJob::look(std::size_t level) {
  level_ = level;
  images_.prepare(tasks_, level);
  vote(images_.image.handle());
  images_.image.let_go();
}

void FieldJob::vote(starpu_data_handle_t image) {
  if (voted_ == nullptr) starpu_variable_data_register(&voted_, kOnDemand, 0, sizeof(NbiaVote));
  tasks_.judge(image, data_.level(level_), voted_);
}

void FieldJob::read(int round) {
  level_ = static_cast<std::size_t>(round);
  images_.prepare(tasks_, level_);
}

TileBuffer FieldJob::buffer(int round) {
  if (images_.image.handle() != nullptr) return std::move(images_.image);
  return {square_image(model_.levels.at(static_cast<std::size_t>(round)).side), true};
}

void FieldJob::judge(int round, TileBuffer buffer) {
  judges_ = true;
  level_ = static_cast<std::size_t>(round);
  judged_ = std::move(buffer);
  vote(judged_.handle());
}

bool FieldJob::advance() {
  NbiaVote vote{};
  fetch(voted_, &vote, sizeof vote);
  decision_ = decide(vote, model_, field_.index, level_, recalc_rate_);
  if (decision_ || judges_) return false;
  look(level_ + 1);
  return true;
}

void FieldJob::release() {
  images_.release();
  if (voted_ != nullptr) starpu_data_unregister_no_coherency(voted_);
  voted_ = nullptr;
  judged_ = {};
}

}  // namespace starpath
