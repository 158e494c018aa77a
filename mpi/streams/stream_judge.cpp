// Buffers at their consumer.
#include "mpi/streams/stream_judge.hpp"

#include <utility>

#include "mpi/network/clock.hpp"

namespace starpath::mpi {

struct StreamJudge::Held {
  const int reader;
  const Announcement announcement;
  std::unique_ptr<TileJob> job;
  TileBuffer buffer;
  std::size_t worker = 0;
  double seconds = 0;
  bool lost = false;

  BufferId id() const { return announcement.sent.buffer.id; }
};

StreamJudge::StreamJudge(StreamSite& site, const StreamPolicy& policy, std::size_t classes,
                         const std::vector<std::size_t>& worker_classes, int readers,
                         const StreamConsumerOptions& options)
    : site_(site),
      consumer_(policy, classes, worker_classes, readers, options),
      worker_classes_(worker_classes),
      busy_(worker_classes.size(), false) {}

StreamJudge::~StreamJudge() = default;

void StreamJudge::start() { to_readers(consumer_.start(seconds_now())); }

void StreamJudge::arrived(int reader, const Announcement& announcement, std::unique_ptr<TileJob> job,
                          TileBuffer buffer) {
  job->instance = {announcement.tile, 0};
  job->read_seconds = announcement.read_seconds;
  job->compute_seconds = announcement.compute_seconds;
  for (std::size_t fact = 0; fact < announcement.facts.size() && fact < kFactCount; ++fact)
    if (announcement.facts[fact] >= 0) job->tasks().facts.set(static_cast<Fact>(fact), announcement.facts[fact]);
  at_work_.emplace(job.get(), announcement.sent.buffer.id);
  held_.emplace(announcement.sent.buffer.id,
                std::unique_ptr<Held>(new Held{reader, announcement, std::move(job), std::move(buffer)}));
  to_readers(consumer_.receive(reader, announcement.sent, seconds_now()));
}

void StreamJudge::receive(int reader, const NoBuffer& message) {
  to_readers(consumer_.receive(reader, message, seconds_now()));
}

void StreamJudge::leave() {
  leaving_ = true;
  to_readers(consumer_.leave(seconds_now()));
}

void StreamJudge::feed_workers() {
  for (std::size_t worker = 0; worker < busy_.size(); ++worker)
    while (leaving_ || !busy_[worker]) {
      StreamConsumer::Sends more;
      const auto id = consumer_.take(worker, seconds_now(), more);
      to_readers(more);
      if (!id) break;
      Held& buffer = *held_.at(*id);
      if (leaving_)
        decide(buffer, {*id, Verdict::Outcome::dropped, false, 0, worker_classes_[worker], 0, ""});
      else
        begin(buffer, worker);
    }
}

void StreamJudge::begin(Held& buffer, std::size_t worker) {
  busy_[worker] = true;
  buffer.worker = worker;
  buffer.job->tasks().worker = static_cast<int>(worker);
  try {
    buffer.job->judge(buffer.announcement.round, std::move(buffer.buffer));
  } catch (...) {
    buffer.lost = true;
    site_.give_up();
  }
  if (buffer.job->tasks().pending == 0) conclude(buffer);
}

void StreamJudge::task_ended(TileJob& job, double seconds) {
  Held& buffer = *held_.at(at_work_.at(&job));
  buffer.seconds += seconds;
  if (--job.tasks().pending == 0) go_on(buffer);
}

void StreamJudge::go_on(Held& buffer) {
  bool submitted = false;
  if (!buffer.lost && !buffer.job->tasks().status.failed()) try {
      submitted = buffer.job->advance();
    } catch (...) {
      buffer.lost = true;
      site_.give_up();
      submitted = buffer.job->tasks().pending > 0;
    }
  if (!submitted) conclude(buffer);
}

void StreamJudge::conclude(Held& buffer) {
  busy_[buffer.worker] = false;
  to_readers(consumer_.processed(buffer.worker, buffer.seconds, seconds_now()));
  TileJob& job = *buffer.job;
  Verdict verdict{buffer.id(), Verdict::Outcome::dropped, false, 0, worker_classes_[buffer.worker], buffer.seconds, ""};
  if (buffer.lost) return decide(buffer, verdict);
  if (job.tasks().status.failed()) {
    verdict.outcome = Verdict::Outcome::failed;
    verdict.reason = job.tasks().status.reason();
  } else {
    verdict.outcome = job.over() ? Verdict::Outcome::decided : Verdict::Outcome::again;
  }
  decide(buffer, verdict);
}

/// A tile that is decided is written first.
void StreamJudge::decide(Held& buffer, Verdict verdict) {
  const std::unique_ptr<Held> held = std::move(held_.extract(buffer.id()).mapped());
  at_work_.erase(held->job.get());
  if (verdict.outcome == Verdict::Outcome::decided) {
    unstored_.emplace(held->announcement.tile, Unstored{held->reader, verdict});
    if (site_.finish(*held->job, "")) return;
    unstored_.erase(held->announcement.tile);
    verdict.outcome = Verdict::Outcome::dropped;
  }
  site_.tell(held->reader, verdict);
}

bool StreamJudge::stored(const TileDone& tile) {
  const auto found = unstored_.find(tile.index);
  if (found == unstored_.end()) return false;
  auto [reader, verdict] = std::move(found->second);
  unstored_.erase(found);
  verdict.skipped = tile.skipped;
  verdict.found = tile.found;
  verdict.reason = tile.failure;
  site_.tell(reader, verdict);
  return true;
}

void StreamJudge::drop_unstored() {
  for (auto& [tile, waiting] : std::exchange(unstored_, {})) {
    waiting.verdict.outcome = Verdict::Outcome::dropped;
    site_.tell(waiting.reader, waiting.verdict);
  }
}

void StreamJudge::to_readers(const StreamConsumer::Sends& sends) {
  for (const auto& [reader, message] : sends)
    std::visit([this, to = reader](const auto& known) { site_.tell(to, known); }, message);
}

}  // namespace starpath::mpi
