// What threads leave for whoever takes the context's lock next: tasks that were submitted and tasks that ended.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sched_policies/core/task_costs.hpp"
#include "sched_policies/core/task_graph.hpp"

namespace starpath {

/// Left without a lock, and taken in, in the order it was left, before anything is decided under the lock: so a task's
/// submission and its end cost no lock of their own. There is room for one end a worker, for a worker that ends a task
/// is about to ask for another, under the lock; and for 64 submissions. Who finds no room at the first looks takes the
/// lock.
class Inbox {
 public:
  struct End {
    const void* task = nullptr;
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
    double now = 0;                  ///< seconds
    std::optional<double> ran = {};  ///< seconds, where that was measured
  };
  struct Submission {
    const void* task = nullptr;                       ///< stands for it: it may be gone when this is taken in
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;  ///< that it has now
    TaskGraph::Ticket old = TaskGraph::kNoTicket;     ///< that it had before
    unsigned types = 0;                               ///< bit set of the kinds of worker that may run it
    ClassSeconds seconds = {};
    TaskGraph::Work work = {};
    std::vector<DataUse> uses = {};
  };

  /// Tickets are the graph's, which must outlive this; both are guarded by the context's lock.
  Inbox(std::size_t workers, TaskGraph& graph) : graph_(graph), ends_(workers), submissions_(kSubmissions) {
    for (LeftSubmission& room : submissions_) room.tickets = {graph_.reserve(false), graph_.reserve(true)};
  }

  /// By the thread that drives `worker`. False when its last end was not taken in yet: then nothing is left.
  bool leave(WorkerId worker, const End& end) {
    LeftEnd& own = ends_[worker];
    if (own.used.load(std::memory_order_acquire)) return false;
    own.worker = worker;
    own.end = end;
    own.used.store(true, std::memory_order_relaxed);
    append(own);
    return true;
  }

  /// By any thread. The task's ticket; none if there was no room: then nothing is left and `submission` is as it was.
  std::optional<TaskGraph::Ticket> leave(Submission& submission) {
    const std::size_t next = next_.load(std::memory_order_relaxed);
    next_.store(next + 1, std::memory_order_relaxed);  // only says where to look first
    for (std::size_t i = 0; i < kLooks; ++i) {
      LeftSubmission& room = submissions_[(next + i) % kSubmissions];
      if (room.used.exchange(true, std::memory_order_acquire)) continue;
      const TaskGraph::Ticket ticket = submission.ticket = room.tickets[!submission.uses.empty()];
      room.submission = std::move(submission);
      append(room);
      return ticket;
    }
    return std::nullopt;
  }

  /// Calls `submitted(submission)` and `ended(worker, end)` for all that was left. Under the context's lock.
  template <class Submitted, class Ended>
  void take_in(Submitted submitted, Ended ended) {
    if (last_.load(std::memory_order_relaxed) == nullptr) return;
    Left* ordered = nullptr;
    for (Left* left = last_.exchange(nullptr, std::memory_order_acquire); left != nullptr;) {
      Left* const before = std::exchange(left->before, ordered);
      ordered = std::exchange(left, before);
    }
    while (ordered != nullptr) {
      Left& own = *std::exchange(ordered, ordered->before);
      if (own.submits) {
        auto& room = static_cast<LeftSubmission&>(own);
        const bool data = !room.submission.uses.empty();
        submitted(room.submission);
        room.tickets[data] = graph_.reserve(data);
      } else {
        ended(static_cast<LeftEnd&>(own).worker, static_cast<LeftEnd&>(own).end);
      }
      own.used.store(false, std::memory_order_release);
    }
  }

 private:
  static constexpr std::size_t kSubmissions = 64;
  static constexpr std::size_t kLooks = 4;

  struct alignas(64) Left {
    explicit Left(bool submission) : submits(submission) {}
    Left* before = nullptr;
    std::atomic<bool> used = false;
    const bool submits;
  };
  struct LeftEnd : Left {
    LeftEnd() : Left(false) {}
    WorkerId worker = 0;
    End end;
  };
  struct LeftSubmission : Left {
    LeftSubmission() : Left(true) {}
    std::array<TaskGraph::Ticket, 2> tickets{};  // for the next one left here: without data, with data
    Submission submission;
  };

  void append(Left& own) {
    own.before = last_.load(std::memory_order_relaxed);
    while (!last_.compare_exchange_weak(own.before, &own, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  TaskGraph& graph_;
  std::vector<LeftEnd> ends_;  // by worker
  std::vector<LeftSubmission> submissions_;
  alignas(64) std::atomic<std::size_t> next_ = 0;
  alignas(64) std::atomic<Left*> last_ = nullptr;
};

}  // namespace starpath
