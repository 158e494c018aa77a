// The producing end of a rank: fields that it reads, and sends at one level after the other until they are decided.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "mpi/protocol/stream.hpp"
#include "mpi/streams/judging_times.hpp"
#include "mpi/streams/stream_site.hpp"

namespace starpath::mpi {

/// Keeps the pixels of each field in hand, so that a field is read once for all of its levels. For one thread; StarPU
/// must be running. Source: anthill-2010, section 2 (an undecided tile goes back to the start) and 5.3.2.
class FieldReader {
 public:
  /// `ranks` consumers; this is `rank`. `times` gives the speedups of buffers, and learns from their verdicts.
  FieldReader(StreamSite& site, const StreamPolicy& policy, std::size_t classes, JudgingTimes& times, int rank,
              int ranks);
  ~FieldReader();
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;

  std::size_t in_hand() const { return fields_.size(); }
  void start(std::int64_t field);
  /// No field is started after this, and none is in hand.
  void end();
  /// Nobody asks for buffers any more: fields that wait are left.
  bool deserted() const { return !ended_ && producer_.deserted(); }
  void abandon();
  bool over() const { return producer_.over() && fields_.empty(); }

  void receive(int consumer, const ToProducer& message);
  void judged(const Verdict& verdict);
  void task_ended(const ReadingTaskEnded& event);

 private:
  struct InHand;
  void prepare(InHand& field);
  void prepared(InHand& field);
  void retry_or_give_up(InHand& field, const std::string& reason);
  void drop(InHand& field);
  void deliver(const StreamProducer::Sends& sends);

  StreamSite& site_;
  StreamProducer producer_;
  JudgingTimes& times_;
  const int rank_, ranks_;
  BufferId made_ = 0;
  bool ended_ = false;
  std::unordered_map<std::int64_t, std::unique_ptr<InHand>> fields_;
  std::unordered_map<BufferId, InHand*> buffers_;  // buffers that wait, and buffers whose verdict is still to come
};

}  // namespace starpath::mpi
