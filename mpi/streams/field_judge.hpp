// The consuming end of a rank: buffers of fields, judged by its workers.
#pragma once
#include <starpu.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "mpi/protocol/stream.hpp"
#include "mpi/streams/stream_site.hpp"

namespace starpath::mpi {

/// An idle worker takes the buffer that the stream's policy has for it, and runs the tasks of that buffer itself.
/// StarPU's policy does not decide about these tasks. For one thread; StarPU must be running. Source: anthill-2010
/// section 5.3.1.
class FieldJudge {
 public:
  /// `worker_classes`: the device class of each of StarPU's workers. `readers`: the ranks from 0 that produce.
  FieldJudge(StreamSite& site, const StreamPolicy& policy, std::size_t classes,
             const std::vector<std::size_t>& worker_classes, int readers, const StreamConsumerOptions& options);
  ~FieldJudge();
  FieldJudge(const FieldJudge&) = delete;
  FieldJudge& operator=(const FieldJudge&) = delete;

  /// The first requests.
  void start();
  /// Its pixels are here.
  void arrived(int reader, const Announcement& announcement, FieldImage image);
  void receive(int reader, const NoBuffer& message);
  void task_ended(const JudgingTaskEnded& event);
  void feed_workers();
  /// Nothing more is asked for, and buffers that are here are given back undecided.
  void leave();
  bool over() const { return consumer_.over() && held_.empty(); }

 private:
  struct Held;
  void begin(Held& buffer, std::size_t worker);
  void conclude(Held& buffer);
  void give_verdict(Held& buffer, const Verdict& verdict);
  void judge(Held& buffer, Verdict& verdict);
  void to_readers(const StreamConsumer::Sends& sends);

  StreamSite& site_;
  StreamConsumer consumer_;
  const std::vector<std::size_t> worker_classes_;
  std::vector<bool> busy_;  // by worker
  bool leaving_ = false;
  std::unordered_map<BufferId, std::unique_ptr<Held>> held_;
};

}  // namespace starpath::mpi
