// Fields at their reader.
#include "mpi/streams/field_reader.hpp"

#include <limits>
#include <utility>

#include "mpi/network/clock.hpp"
#include "mpi/protocol/buffer_weights.hpp"

namespace starpath::mpi {
struct FieldReader::InHand {
  InHand(const Field& the_field, StreamSite& site)
      : field(the_field),
        tasks(place_of("field", the_field.index, the_field.core),
              [&site, index = the_field.index](FieldStage stage, const TaskExecution& run) {
                site.post(ReadingTaskEnded{index, stage, run});
              }),
        images(field, site.slide, site.model) {}

  const Field field;
  FieldTasks tasks;
  FieldImages images;  // whose image is there until it is sent
  std::size_t level = 0;
  int attempts = 1;
  bool lost = false;
  double read_seconds = 0, compute_seconds = 0;
};

FieldReader::FieldReader(StreamSite& site, const StreamPolicy& policy, std::size_t classes, JudgingTimes& times,
                         int rank, int ranks)
    : site_(site), producer_(policy, classes, ranks), times_(times), rank_(rank), ranks_(ranks) {}

FieldReader::~FieldReader() = default;

void FieldReader::start(std::int64_t field) {
  auto& started = fields_[field] = std::make_unique<InHand>(site_.fields.at(field), site_);
  prepare(*started);
}

void FieldReader::end() {
  if (ended_) return;
  ended_ = true;
  deliver(producer_.end());
}

void FieldReader::abandon() {
  ended_ = true;
  deliver(producer_.abandon());
  std::vector<InHand*> waiting;
  for (const auto& [id, field] : buffers_)
    if (field->images.image.handle != nullptr) waiting.push_back(field);
  std::erase_if(buffers_, [](const auto& buffer) { return buffer.second->images.image.handle != nullptr; });
  for (InHand* const field : waiting) drop(*field);
}

void FieldReader::receive(int consumer, const ToProducer& message) {
  deliver(producer_.receive(consumer, message, seconds_now()));
}

void FieldReader::prepare(InHand& field) {
  try {
    field.images.prepare(field.tasks, field.level);
  } catch (...) {
    field.lost = true;
    site_.give_up();
  }
  if (field.tasks.pending == 0) prepared(field);
}

void FieldReader::task_ended(const ReadingTaskEnded& event) {
  InHand& field = *fields_.at(event.field);
  (event.stage == FieldStage::read ? field.read_seconds : field.compute_seconds) += event.run.seconds();
  site_.count(event.stage, site_.model.levels[field.level].side, event.run);
  if (--field.tasks.pending == 0) prepared(field);
}

void FieldReader::prepared(InHand& field) {
  if (field.lost || ended_) return drop(field);
  if (field.tasks.status.failed()) return retry_or_give_up(field, field.tasks.status.reason());
  const BufferId id = made_++ * ranks_ + rank_;
  buffers_.emplace(id, &field);
  deliver(producer_.insert({id, buffer_weights(times_.of(field.tasks.facts))}, seconds_now()));
}

void FieldReader::judged(const Verdict& verdict) {
  InHand& field = *buffers_.extract(verdict.buffer).mapped();
  times_.learn(field.tasks.facts, verdict.device_class, verdict.seconds);
  field.compute_seconds += verdict.seconds;
  switch (verdict.outcome) {
    case Verdict::Outcome::decided: {
      const TileDone done = done_with(field.field, verdict.background, "");
      drop(field);
      return site_.finished(done);
    }
    case Verdict::Outcome::again:
      ++field.level;
      return prepare(field);
    case Verdict::Outcome::failed:
      return retry_or_give_up(field, verdict.reason);
    case Verdict::Outcome::dropped:
      return drop(field);
  }
}

void FieldReader::retry_or_give_up(InHand& field, const std::string& reason) {
  if (field.attempts < site_.options.attempts) {
    ++field.attempts;
    field.images.release();
    field.tasks.status.reset();
    field.level = 0;
    return prepare(field);
  }
  const NbiaDecision none = decision_of({}, site_.model.levels[field.level].side);
  if (!site_.commit(record_of(field.field, none, field.read_seconds, field.compute_seconds, reason)))
    return drop(field);
  const TileDone done = done_with(field.field, false, failure_text(field.tasks.status.place(), reason, field.attempts));
  drop(field);
  site_.finished(done);
}

void FieldReader::drop(InHand& field) {
  const std::int64_t index = field.field.index;
  fields_.erase(index);
}

void FieldReader::deliver(const StreamProducer::Sends& sends) {
  for (const auto& [consumer, message] : sends) {
    if (const auto* none = std::get_if<NoBuffer>(&message)) {
      site_.tell(consumer, *none);
      continue;
    }
    const BufferSent& sent = std::get<BufferSent>(message);
    InHand& field = *buffers_.at(sent.buffer.id);
    site_.send(consumer,
               {sent, field.field.index, static_cast<int>(field.level), field.read_seconds, field.compute_seconds,
                field.tasks.facts.known(Fact::tissue_pixels).value_or(std::numeric_limits<double>::quiet_NaN())},
               std::exchange(field.images.image, {}));
  }
}

}  // namespace starpath::mpi
