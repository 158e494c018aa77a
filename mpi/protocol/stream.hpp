// Demand-driven, directed streams from n producers to m consumers: which consumer asks which producer, which buffer is
// sent to which consumer, and when the stream ends. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mpi/protocol/buffer_queue.hpp"
#include "mpi/protocol/request_window.hpp"

namespace starpath::mpi {

/// Table 5 of anthill-2010.
struct StreamPolicy {
  std::string_view name;
  bool sorted_sender, sorted_receiver;  // else first come, first served
  bool dynamic;                         // windows that DQAA adapts; else static ones
};
inline constexpr StreamPolicy kStreamPolicies[] = {
    {"ddfcfs", false, false, false}, {"ddwrr", false, true, false}, {"odds", true, true, true}};

/// The policy of this name; nullptr when there is none.
const StreamPolicy* find_stream_policy(std::string_view name);

// --- consumer to producer ---

/// A worker of this class has room for a buffer. Tickets are the consumer's own numbers.
struct BufferRequest {
  std::int64_t ticket;
  std::size_t device_class;
};
/// The consumer asks no more; it has sent so many requests to this producer.
struct Farewell {
  std::int64_t requests;
};

// --- producer to consumer ---

/// The answer to a request; the buffer's data travel beside it. The producer held the request for so many seconds
/// because it had no buffer, which is no latency.
struct BufferSent {
  std::int64_t ticket;
  StreamBuffer buffer;
  double held_seconds;
};
/// The answer when nothing will come any more.
struct NoBuffer {
  std::int64_t ticket;
};

using ToProducer = std::variant<BufferRequest, Farewell>;
using ToConsumer = std::variant<BufferSent, NoBuffer>;

/// The sending side of one producer. A state machine without MPI, threads or clock (seconds are the caller's): it is
/// told of buffers, of messages, and answers with messages. Messages may arrive in any order, arbitrarily late.
///
/// Invariants: each request is answered once, each buffer sent once; a request waits only while there is no buffer.
/// Not thread-safe. Source: anthill-2010 section 5.3.2, Algorithms 4 and 5.
class StreamProducer {
 public:
  using Sends = std::vector<std::pair<int, ToConsumer>>;  // to which consumer

  StreamProducer(const StreamPolicy& policy, std::size_t classes, int consumers)
      : queue_(policy.sorted_sender, classes), consumers_(static_cast<std::size_t>(consumers)) {}

  Sends insert(StreamBuffer buffer, double now);
  /// No buffer is inserted after this.
  Sends end();
  /// The same, and waiting buffers are given up.
  Sends abandon();
  Sends receive(int consumer, const ToProducer& message, double now);

  /// Every consumer has said farewell and has all its answers: nobody will ask any more.
  bool deserted() const;
  /// The same, and everything is sent.
  bool over() const { return ended_ && queue_.empty() && deserted(); }
  std::size_t queued() const { return queue_.size(); }

 private:
  struct Waiting {
    int consumer;
    BufferRequest request;
    double since;
  };
  struct Consumer {
    std::int64_t answered = 0;
    std::optional<std::int64_t> requests;  // in all, once it said so
  };
  void serve(double now, Sends& out);

  BufferQueue queue_;
  std::deque<Waiting> waiting_;
  std::vector<Consumer> consumers_;
  bool ended_ = false;
};

struct StreamConsumerOptions {
  unsigned window = 4;  // requests of each worker when the policy's windows are static
  unsigned most = 64;   // of each worker when they are dynamic: the number that memory allows
};

/// The receiving side of one consumer: a requester for each worker, and one queue that its workers share. Conventions
/// as StreamProducer's.
///
/// Invariants: a worker's window counts the requests that were made for it and whose buffers no worker has taken yet. A
/// window changes by at most one with each processed buffer. Requests go in turn to the producers that may have more.
///
/// Source: anthill-2010 section 5.3.1, Algorithms 2 and 3. There, taking a buffer frees a place in the window of the
/// worker that takes it. Here it frees a place in the window of the worker for which the buffer was requested:
/// otherwise a worker whose buffers others take would never ask again. Under odds, a core that waits for the answer to
/// its own request does not take a buffer that was requested for another class: the sender chose a buffer for the core,
/// which is on its way, while a buffer chosen for an accelerator may take a core many times as long.
class StreamConsumer {
 public:
  using Sends = std::vector<std::pair<int, ToProducer>>;  // to which producer

  /// `worker_classes`: the device class of each worker.
  StreamConsumer(const StreamPolicy& policy, std::size_t classes, const std::vector<std::size_t>& worker_classes,
                 int producers, const StreamConsumerOptions& options);

  /// The first requests.
  Sends start(double now) { return ask(now); }
  Sends receive(int producer, const ToConsumer& message, double now);
  /// The buffer for an idle worker, if one is here.
  std::optional<BufferId> take(std::size_t worker, double now, Sends& out);
  /// It has processed one in so many seconds.
  Sends processed(std::size_t worker, double seconds, double now);
  /// This consumer asks for nothing more. Buffers that it has asked for still come.
  Sends leave(double now);

  /// No buffer is here or will come.
  bool over() const { return (live_ == 0 || leaving_) && tickets_.empty() && queue_.empty(); }
  unsigned window(std::size_t worker) const { return workers_[worker].window.target(); }
  /// Requests for this worker that are under way, or whose buffers wait here.
  unsigned requested(std::size_t worker) const { return workers_[worker].window.requested(); }

 private:
  struct Worker {
    std::size_t device_class;
    RequestWindow window;
    unsigned unanswered = 0;  // requests
  };
  struct Ticket {
    std::size_t worker;
    double sent;
  };
  struct Producer {
    bool ended = false;
    std::int64_t requests = 0, unanswered = 0;
    bool farewell = false;
  };
  Sends ask(double now);
  int next_producer();
  bool leaves(std::size_t worker, const StreamBuffer& buffer) const;

  bool selective_;  // the sender chose each buffer for the class that asked, and windows are dynamic
  std::vector<Worker> workers_;
  std::vector<Producer> producers_;
  BufferQueue queue_;
  std::map<BufferId, std::size_t> requested_for_;  // of the buffers in the queue: for which worker
  std::map<std::int64_t, Ticket> tickets_;         // unanswered
  std::int64_t last_ticket_ = 0;
  std::size_t turn_ = 0;
  int live_;  // producers that may have more
  bool leaving_ = false;
};

}  // namespace starpath::mpi
