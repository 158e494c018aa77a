// The consuming end of a rank: buffers of tiles, judged by its workers.
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "mpi/protocol/stream.hpp"
#include "mpi/streams/stream_site.hpp"

namespace starpath::mpi {

/// An idle worker takes the buffer that the stream's policy has for it, and runs the tasks of that buffer itself, if it
/// can. StarPU's policy decides about the other tasks alone. For one thread; StarPU must be running. Source:
/// anthill-2010 section 5.3.1.
class StreamJudge {
 public:
  /// `worker_classes`: the device class of each of StarPU's workers. `readers`: the ranks from 0 that produce.
  StreamJudge(StreamSite& site, const StreamPolicy& policy, std::size_t classes,
              const std::vector<std::size_t>& worker_classes, int readers, const StreamConsumerOptions& options);
  ~StreamJudge();
  StreamJudge(const StreamJudge&) = delete;
  StreamJudge& operator=(const StreamJudge&) = delete;

  /// The first requests.
  void start();
  /// Its data are here. `job`: of the tile, without tasks.
  void arrived(int reader, const Announcement& announcement, std::unique_ptr<TileJob> job, TileBuffer buffer);
  void receive(int reader, const NoBuffer& message);
  /// Of a job that this end was given.
  void task_ended(TileJob& job, double seconds);
  /// The results of this tile are on the disk. False when the tile is not of this end.
  bool stored(const TileDone& tile);
  /// No result can be written any more.
  void drop_unstored();
  void feed_workers();
  /// Nothing more is asked for, and buffers that are here are given back undecided.
  void leave();
  bool over() const { return consumer_.over() && held_.empty() && unstored_.empty(); }

 private:
  struct Held;
  struct Unstored {
    int reader;
    Verdict verdict;
  };
  void begin(Held& buffer, std::size_t worker);
  void go_on(Held& buffer);
  void conclude(Held& buffer);
  void decide(Held& buffer, Verdict verdict);
  void to_readers(const StreamConsumer::Sends& sends);

  StreamSite& site_;
  StreamConsumer consumer_;
  const std::vector<std::size_t> worker_classes_;
  std::vector<bool> busy_;  // by worker
  bool leaving_ = false;
  std::unordered_map<BufferId, std::unique_ptr<Held>> held_;
  std::unordered_map<const TileJob*, BufferId> at_work_;
  std::unordered_map<std::int64_t, Unstored> unstored_;  // tiles that are over, and not known to be on the disk
};

}  // namespace starpath::mpi
