// Buffers at their consumer.
#include "mpi/streams/field_judge.hpp"

#include "mpi/network/clock.hpp"
#include "pipelines/nbia/decision.hpp"
#include "pipelines/run/fetch.hpp"

namespace starpath::mpi {

struct FieldJudge::Held {
  Held(StreamSite& site, int from, const Announcement& the_announcement, FieldImage the_image)
      : reader(from),
        announcement(the_announcement),
        field(site.fields.at(the_announcement.field)),
        image(the_image),
        tasks(place_of("field", field.index, field.core),
              [&site, id = the_announcement.sent.buffer.id](FieldStage stage, const TaskExecution& run) {
                site.post(JudgingTaskEnded{id, stage, run});
              }) {
    if (announcement.tissue_pixels >= 0) tasks.facts.set(Fact::tissue_pixels, announcement.tissue_pixels);
  }
  ~Held() {
    if (voted != nullptr) starpu_data_unregister_no_coherency(voted);
    if (image.temporary) starpu_data_unregister_no_coherency(image.handle);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  BufferId id() const { return announcement.sent.buffer.id; }

  const int reader;
  const Announcement announcement;
  const Field& field;
  const FieldImage image;
  FieldTasks tasks;
  starpu_data_handle_t voted = nullptr;
  std::size_t worker = 0;
  double seconds = 0;
  bool lost = false;
};

FieldJudge::FieldJudge(StreamSite& site, const StreamPolicy& policy, std::size_t classes,
                       const std::vector<std::size_t>& worker_classes, int readers,
                       const StreamConsumerOptions& options)
    : site_(site),
      consumer_(policy, classes, worker_classes, readers, options),
      worker_classes_(worker_classes),
      busy_(worker_classes.size(), false) {}

FieldJudge::~FieldJudge() = default;

void FieldJudge::start() { to_readers(consumer_.start(seconds_now())); }

void FieldJudge::arrived(int reader, const Announcement& announcement, FieldImage image) {
  held_.emplace(announcement.sent.buffer.id, std::make_unique<Held>(site_, reader, announcement, image));
  to_readers(consumer_.receive(reader, announcement.sent, seconds_now()));
}

void FieldJudge::receive(int reader, const NoBuffer& message) {
  to_readers(consumer_.receive(reader, message, seconds_now()));
}

void FieldJudge::leave() {
  leaving_ = true;
  to_readers(consumer_.leave(seconds_now()));
}

void FieldJudge::feed_workers() {
  for (std::size_t worker = 0; worker < busy_.size(); ++worker)
    while (leaving_ || !busy_[worker]) {
      StreamConsumer::Sends more;
      const auto id = consumer_.take(worker, seconds_now(), more);
      to_readers(more);
      if (!id) break;
      Held& buffer = *held_.at(*id);
      if (leaving_)
        give_verdict(buffer, {*id, Verdict::Outcome::dropped, false, worker_classes_[worker], 0, ""});
      else
        begin(buffer, worker);
    }
}

void FieldJudge::begin(Held& buffer, std::size_t worker) {
  busy_[worker] = true;
  buffer.worker = worker;
  starpu_variable_data_register(&buffer.voted, -1, 0, sizeof(NbiaVote));
  try {
    buffer.tasks.judge(buffer.image.handle, site_.data.level(static_cast<std::size_t>(buffer.announcement.level)),
                       buffer.voted, static_cast<int>(worker));
  } catch (...) {
    buffer.lost = true;
    site_.give_up();
  }
  if (buffer.tasks.pending == 0) conclude(buffer);
}

void FieldJudge::task_ended(const JudgingTaskEnded& event) {
  Held& buffer = *held_.at(event.buffer);
  buffer.seconds += event.run.seconds();
  site_.count(event.stage, site_.model.levels[static_cast<std::size_t>(buffer.announcement.level)].side, event.run);
  if (--buffer.tasks.pending == 0) conclude(buffer);
}

void FieldJudge::conclude(Held& buffer) {
  busy_[buffer.worker] = false;
  to_readers(consumer_.processed(buffer.worker, buffer.seconds, seconds_now()));
  Verdict verdict{buffer.id(), Verdict::Outcome::dropped, false, worker_classes_[buffer.worker], buffer.seconds, ""};
  if (!buffer.lost) judge(buffer, verdict);
  give_verdict(buffer, verdict);
}

void FieldJudge::judge(Held& buffer, Verdict& verdict) {
  if (buffer.tasks.status.failed()) {
    verdict.outcome = Verdict::Outcome::failed;
    verdict.reason = buffer.tasks.status.reason();
    return;
  }
  NbiaVote vote{};
  fetch(buffer.voted, &vote, sizeof vote);
  const Announcement& known = buffer.announcement;
  const auto decision =
      decide(vote, site_.model, known.field, static_cast<std::size_t>(known.level), site_.options.recalc_rate);
  if (!decision) {
    verdict.outcome = Verdict::Outcome::again;
    return;
  }
  verdict.background = decision->label == NbiaLabel::background;
  if (site_.commit(record_of(buffer.field, *decision, known.read_seconds, known.compute_seconds + buffer.seconds, "")))
    verdict.outcome = Verdict::Outcome::decided;
}

void FieldJudge::give_verdict(Held& buffer, const Verdict& verdict) {
  const int reader = buffer.reader;
  held_.erase(buffer.id());
  site_.tell(reader, verdict);
}

void FieldJudge::to_readers(const StreamConsumer::Sends& sends) {
  for (const auto& [reader, message] : sends)
    std::visit([this, to = reader](const auto& known) { site_.tell(to, known); }, message);
}

}  // namespace starpath::mpi
