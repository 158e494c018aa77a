// Where threads leave tasks that were submitted, were queued or ended, until one of them takes the context's lock.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/planning/task_costs.hpp"
#include "sched_policies/planning/task_graph.hpp"

namespace starpath {

struct PlannedTask;

/// Keeps submissions, arrivals and ends of tasks, which threads leave here without a lock. The next thread that takes
/// the lock takes them in, in the order in which they were left, before it decides anything. So a task's submission,
/// its arrival and its end cost no lock of their own. There are slots for 64 submissions, for 64 tasks that become
/// ready, and for the ends of a worker that runs a batch. A thread that finds no free slot takes the lock, takes in
/// everything, and looks again.
class Inbox {
  enum class Kind : std::uint8_t { submission, arrival, end };
  struct Left {
    explicit Left(Kind what) : kind(what) {}
    Left* before = nullptr;
    std::atomic<bool> used = false;
    const Kind kind;
  };

 public:
  static constexpr std::size_t kSlots = 64;  ///< for submissions, and as many for arrivals
  static constexpr std::size_t kEnds = 32;   ///< slots of a worker

  struct End {
    const void* task = nullptr;
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
    double now = 0;                  ///< seconds
    std::optional<double> ran = {};  ///< seconds, where that was measured
  };
  /// A task that was submitted. A slot: filled where it is, and still holds what was left there before.
  struct alignas(64) Submission : private Left {
    Submission() : Left(Kind::submission) {}

    const void* task = nullptr;  ///< stands for it: it may be gone when this is taken in; nullptr: it runs nowhere
    TaskGraph::Ticket old = TaskGraph::kNoTicket;  ///< that it had before
    unsigned types = 0;                            ///< bit set of the worker types that may run it
    ClassSeconds seconds = {};
    TaskGraph::Work work = {};
    std::vector<DataUse> uses = {};

    /// That it has from now on; set by `leave`.
    TaskGraph::Ticket ticket() const { return ticket_; }
    /// Not that of any submission left here before; above 0.
    std::uint32_t number() const { return number_; }

   private:
    friend Inbox;
    TaskGraph::Ticket ticket_ = TaskGraph::kNoTicket;
    std::array<TaskGraph::Ticket, 2> tickets_{};  // for the next one left here: without data, with data
    std::uint32_t number_ = 0;
  };
  /// A task that is ready. A slot, as above.
  struct alignas(64) Arrival : private Left {
    Arrival() : Left(Kind::arrival) {}

    PlannedTask* record = nullptr;  ///< taking it in leaves another one here
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
    unsigned types = 0;                  ///< as above
    std::optional<WorkerSet> able = {};  ///< who may run it, where that took asking
    std::string_view codelet = {};
    TaskCosts costs = {};
    ClassSet never_known = {};        ///< as in TaskEstimates
    std::uint64_t first_samples = 0;  ///< when the costs were estimated: see Estimates

   private:
    friend Inbox;
  };

  /// Tickets are the graph's, which must outlive this. `fresh` gives the record of a task that arrives.
  template <class Fresh>
  Inbox(std::size_t workers, TaskGraph& graph, Fresh fresh)
      : graph_(graph), ends_(workers), submissions_(kSlots), arrivals_(kSlots) {
    for (Submission& slot : submissions_) {
      slot.tickets_ = {graph_.reserve(false), graph_.reserve(true)};
      slot.number_ = static_cast<std::uint32_t>(&slot - submissions_.data());
    }
    for (Arrival& slot : arrivals_) slot.record = fresh();
  }

  /// A slot to fill and leave, by any thread; nullptr: there is none at the first looks.
  Submission* submission() {
    Submission* const slot = find(submissions_, next_submission_);
    if (slot != nullptr) slot->number_ += kSlots;
    return slot;
  }
  Arrival* arrival() { return find(arrivals_, next_arrival_); }

  /// Returns the task's ticket.
  TaskGraph::Ticket leave(Submission& slot) {
    const TaskGraph::Ticket ticket = slot.ticket_ = slot.tickets_[!slot.uses.empty()];
    append(slot);
    return ticket;
  }
  void leave(Arrival& slot) { append(slot); }

  /// By the thread that drives `worker`. False when too many of its ends were not taken in yet: then nothing is left.
  bool leave(WorkerId worker, const End& end) {
    WorkerEnds& ends = ends_[worker];
    LeftEnd& slot = ends.slots[ends.next % kEnds];
    if (slot.used.load(std::memory_order_acquire)) return false;
    ++ends.next;
    slot.worker = worker;
    slot.end = end;
    slot.used.store(true, std::memory_order_relaxed);
    append(slot);
    return true;
  }

  /// Whether nothing was left that was not taken in.
  bool empty() const { return last_.load() == nullptr; }

  /// Calls `submitted(submission)`, `arrived(arrival)` and `ended(worker, end)` for all that was left.
  template <class Submitted, class Arrived, class Ended>
  void take_in(Submitted submitted, Arrived arrived, Ended ended) STARPATH_REQUIRES(context_lock) {
    if (last_.load(std::memory_order_relaxed) == nullptr) return;
    Left* ordered = nullptr;
    for (Left* left = last_.exchange(nullptr, std::memory_order_acquire); left != nullptr;) {
      fetch(*left);
      Left* const before = std::exchange(left->before, ordered);
      ordered = std::exchange(left, before);
    }
    while (ordered != nullptr) {
      Left& left = *std::exchange(ordered, ordered->before);
      if (left.kind == Kind::submission) {
        auto& slot = static_cast<Submission&>(left);
        const bool data = !slot.uses.empty();
        submitted(slot);
        slot.tickets_[data] = graph_.reserve(data);
        graph_.fetch(slot.tickets_[data]);  // for 64 submissions later
      } else if (left.kind == Kind::arrival) {
        arrived(static_cast<Arrival&>(left));
      } else {
        ended(static_cast<LeftEnd&>(left).worker, static_cast<LeftEnd&>(left).end);
      }
      left.used.store(false, std::memory_order_release);
    }
  }

 private:
  static constexpr std::size_t kLooks = 4;

  struct LeftEnd : Left {
    LeftEnd() : Left(Kind::end) {}
    WorkerId worker = 0;
    End end;
  };
  struct alignas(64) WorkerEnds {
    std::array<LeftEnd, kEnds> slots;
    std::size_t next = 0;
  };

  /// What it leads to in the graph is mostly cold.
  void fetch(const Left& left) const STARPATH_REQUIRES(context_lock) {
    if (left.kind == Kind::arrival) graph_.fetch(static_cast<const Arrival&>(left).ticket);
    if (left.kind == Kind::end) graph_.fetch(static_cast<const LeftEnd&>(left).end.ticket);
  }

  template <class Slot>
  static Slot* find(std::vector<Slot>& slots, std::atomic<std::size_t>& next) {
    const std::size_t first = next.load(std::memory_order_relaxed);
    next.store(first + 1, std::memory_order_relaxed);  // only says where to look first
    for (std::size_t i = 0; i < kLooks; ++i) {
      Slot& slot = slots[(first + i) % kSlots];
      if (!slot.used.load(std::memory_order_relaxed) && !slot.used.exchange(true, std::memory_order_acquire))
        return &slot;
    }
    return nullptr;
  }

  /// Sequentially consistent, as `empty` is. So a thread that leaves something here and then looks for sleepers, and a
  /// worker that goes to sleep and then looks here, cannot miss each other.
  void append(Left& left) {
    left.before = last_.load(std::memory_order_relaxed);
    while (!last_.compare_exchange_weak(left.before, &left)) {
    }
  }

  TaskGraph& graph_ STARPATH_GUARDED_BY(context_lock);
  std::vector<WorkerEnds> ends_;  // by worker
  std::vector<Submission> submissions_;
  std::vector<Arrival> arrivals_;
  alignas(64) std::atomic<std::size_t> next_submission_ = 0;
  alignas(64) std::atomic<std::size_t> next_arrival_ = 0;
  alignas(64) std::atomic<Left*> last_ = nullptr;
};

}  // namespace starpath
