// The producing end of a rank: tiles that it reads, and sends in one round after the other until they are decided.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "mpi/protocol/stream.hpp"
#include "mpi/streams/judging_times.hpp"
#include "mpi/streams/stream_site.hpp"

namespace starpath::mpi {

/// Keeps the job of each tile in hand until the tile is decided. For one thread; StarPU must be running. Source:
/// anthill-2010, section 2 (an undecided tile goes back to the start) and 5.3.2.
class StreamReader {
 public:
  /// `ranks` consumers; this is `rank`. A tile that fails is tried `attempts` times. `times` gives the speedups of
  /// buffers, and learns from their verdicts.
  StreamReader(StreamSite& site, const StreamPolicy& policy, std::size_t classes, JudgingTimes& times, int attempts,
               int rank, int ranks);
  ~StreamReader();
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

  std::size_t in_hand() const { return tiles_.size(); }
  void start(std::int64_t tile);
  /// No tile is started after this, and none is in hand.
  void end();
  /// Nobody asks for buffers any more: tiles that wait are left.
  bool deserted() const { return !ended_ && producer_.deserted(); }
  void abandon();
  bool over() const { return producer_.over() && tiles_.empty(); }

  void receive(int consumer, const ToProducer& message);
  void judged(const Verdict& verdict);
  /// Whether the job is of this end.
  bool has(const TileJob& job) const;
  /// Of such a job.
  void task_ended(TileJob& job);
  /// The record of this tile, which was given up here, is on the disk.
  void stored(const TileDone& tile);
  /// No record can be written any more.
  void drop_unstored();

 private:
  struct InHand;
  void prepare(InHand& tile);
  void prepared(InHand& tile);
  void retry_or_give_up(InHand& tile, const std::string& reason);
  void drop(const InHand& tile);
  void deliver(const StreamProducer::Sends& sends);

  StreamSite& site_;
  StreamProducer producer_;
  JudgingTimes& times_;
  const int attempts_, rank_, ranks_;
  BufferId made_ = 0;
  bool ended_ = false;
  std::unordered_map<std::int64_t, std::unique_ptr<InHand>> tiles_;
  std::unordered_map<BufferId, InHand*> buffers_;  // buffers that wait, and buffers whose verdict is still to come
};

}  // namespace starpath::mpi
