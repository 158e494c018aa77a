// Tiles at their reader.
#include "mpi/streams/stream_reader.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "mpi/network/clock.hpp"
#include "mpi/protocol/buffer_weights.hpp"

namespace starpath::mpi {

struct StreamReader::InHand {
  const std::int64_t index;
  std::unique_ptr<TileJob> job;  // nullptr: given up, and its record is not known to be on the disk
  int round = 0;
  TileBuffer waiting = {};  // until it is sent
  bool lost = false;        // its tasks could not be submitted
};

namespace {

/// Up to the last that is known.
std::vector<double> known_of(const TileFacts& facts) {
  std::vector<double> known;
  for (std::size_t fact = 0; fact < kFactCount; ++fact)
    known.push_back(facts.known(static_cast<Fact>(fact)).value_or(std::numeric_limits<double>::quiet_NaN()));
  while (!known.empty() && std::isnan(known.back())) known.pop_back();
  return known;
}

}  // namespace

StreamReader::StreamReader(StreamSite& site, const StreamPolicy& policy, std::size_t classes, JudgingTimes& times,
                           int attempts, int rank, int ranks)
    : site_(site), producer_(policy, classes, ranks), times_(times), attempts_(attempts), rank_(rank), ranks_(ranks) {}

StreamReader::~StreamReader() = default;

void StreamReader::start(std::int64_t tile) {
  auto& started = tiles_[tile] = std::unique_ptr<InHand>(new InHand{tile, site_.make_job(tile)});
  started->job->instance = {tile, 0};
  started->job->attempts = 1;
  prepare(*started);
}

void StreamReader::end() {
  if (ended_) return;
  ended_ = true;
  deliver(producer_.end());
}

void StreamReader::abandon() {
  ended_ = true;
  deliver(producer_.abandon());
  std::vector<InHand*> waiting;
  for (const auto& [id, tile] : buffers_)
    if (tile->waiting.handle() != nullptr) waiting.push_back(tile);
  std::erase_if(buffers_, [](const auto& buffer) { return buffer.second->waiting.handle() != nullptr; });
  for (const InHand* const tile : waiting) drop(*tile);
}

void StreamReader::receive(int consumer, const ToProducer& message) {
  deliver(producer_.receive(consumer, message, seconds_now()));
}

void StreamReader::prepare(InHand& tile) {
  try {
    tile.job->read(tile.round);
  } catch (...) {
    tile.lost = true;
    site_.give_up();
  }
  if (tile.job->tasks().pending == 0) prepared(tile);
}

bool StreamReader::has(const TileJob& job) const {
  const auto found = tiles_.find(job.instance.tile);
  return found != tiles_.end() && found->second->job.get() == &job;
}

void StreamReader::task_ended(TileJob& job) {
  if (--job.tasks().pending == 0) prepared(*tiles_.at(job.instance.tile));
}

void StreamReader::prepared(InHand& tile) {
  if (tile.lost || ended_) return drop(tile);
  const StageTasks& tasks = tile.job->tasks();
  if (tasks.status.failed()) return retry_or_give_up(tile, tasks.status.reason());
  tile.waiting = tile.job->buffer(tile.round);
  const BufferId id = made_++ * ranks_ + rank_;
  buffers_.emplace(id, &tile);
  deliver(producer_.insert({id, buffer_weights(times_.of(tasks.facts))}, seconds_now()));
}

void StreamReader::judged(const Verdict& verdict) {
  InHand& tile = *buffers_.extract(verdict.buffer).mapped();
  times_.learn(tile.job->tasks().facts, verdict.device_class, verdict.seconds);
  tile.job->compute_seconds += verdict.seconds;
  switch (verdict.outcome) {
    case Verdict::Outcome::decided: {
      const TileDone done{tile.index, !verdict.reason.empty(), verdict.skipped, verdict.found, verdict.reason};
      drop(tile);
      return site_.finished(done);
    }
    case Verdict::Outcome::again:
      ++tile.round;
      return prepare(tile);
    case Verdict::Outcome::failed:
      return retry_or_give_up(tile, verdict.reason);
    case Verdict::Outcome::dropped:
      return drop(tile);
  }
}

void StreamReader::retry_or_give_up(InHand& tile, const std::string& reason) {
  if (tile.job->attempts >= attempts_) {
    const std::unique_ptr<TileJob> given_up = std::move(tile.job);
    if (!site_.finish(*given_up, reason)) drop(tile);
    return;
  }
  ++tile.job->attempts;
  tile.job->reset();
  tile.job->tasks().status.reset();
  tile.round = 0;
  prepare(tile);
}

void StreamReader::stored(const TileDone& tile) {
  drop(*tiles_.at(tile.index));
  site_.finished(tile);
}

void StreamReader::drop_unstored() {
  std::erase_if(tiles_, [](const auto& tile) { return tile.second->job == nullptr; });
}

void StreamReader::drop(const InHand& tile) {
  const std::int64_t index = tile.index;  // which goes with the tile
  tiles_.erase(index);
}

void StreamReader::deliver(const StreamProducer::Sends& sends) {
  for (const auto& [consumer, message] : sends) {
    if (const auto* none = std::get_if<NoBuffer>(&message)) {
      site_.tell(consumer, *none);
      continue;
    }
    const BufferSent& sent = std::get<BufferSent>(message);
    InHand& tile = *buffers_.at(sent.buffer.id);
    TileBuffer buffer = std::move(tile.waiting);
    const Announcement announcement{sent,
                                    tile.index,
                                    tile.round,
                                    tile.job->read_seconds,
                                    tile.job->compute_seconds,
                                    known_of(tile.job->tasks().facts),
                                    buffer.note};
    site_.send(consumer, announcement, std::move(buffer));
  }
}

}  // namespace starpath::mpi
