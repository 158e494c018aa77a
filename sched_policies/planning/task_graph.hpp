// Submitted tasks and their dependencies through data: how much known work waits for a task.
#pragma once
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/fetch_ahead.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/planning/free_numbers.hpp"
#include "sched_policies/planning/outstanding.hpp"
#include "sched_policies/planning/replacement.hpp"

namespace starpath {

/// How a task uses data. `reduce`: tasks add to it in any order, at the same time.
enum class Access : std::uint8_t { read, write, reduce };

/// One piece of data that a task uses; `data` is any address that stands for it.
struct DataUse {
  const void* data = nullptr;
  Access access = Access::read;
  bool home = false;  ///< where no task runs: it has to be in main memory for this
};

/// Knows which submitted tasks have not finished, and which of them wait for which. A task waits for the last earlier
/// task that wrote the data it uses. A task that writes also waits for the tasks that read that data since (sequential
/// consistency). Tasks that reduce data wait for earlier tasks that read or wrote it, and later tasks that do so wait
/// for them, but they do not wait for each other. Dependencies of other kinds are not known. Not thread-safe.
///
/// A task's *tail* is the longest chain of known tasks that wait for it, by their mean run times. Tails are updated by
/// a pass over all tasks that use data. Passes are so rare that they cost O(1) for each task.
class TaskGraph {
 public:
  /// The work of a task, in seconds.
  struct Work {
    double mean = 0;   ///< run time on average, if all workers that may run it do such tasks, each at its own pace
    double share = 0;  ///< for which it would keep the whole machine busy

    /// Of a task that takes so long; nothing if no run time is known.
    static Work of(const Machine& machine, const ClassSeconds& seconds);
  };

  /// Where the graph keeps a task. The caller holds it, so that finding a task takes no search. Any value is allowed
  /// with any task: a ticket of another task is ignored. Odd: the task uses data.
  using Ticket = std::uint32_t;
  static constexpr Ticket kNoTicket = 0;

  /// A ticket for a task that will be submitted; `data`: it uses data.
  Ticket reserve(bool data);

  /// `task` identifies the task until it finishes. `ticket` was reserved for a task that uses data if this one does. If
  /// the task is still known by the ticket `old`, it is replaced.
  void submit(const void* task, Ticket ticket, std::span<const DataUse> uses, Work work, Ticket old = kNoTicket);

  /// Earlier and later uses of these data meet: the former end before the latter begin, although no task runs here.
  /// `ticket` was reserved for this.
  void meet(Ticket ticket, std::span<const DataUse> uses);

  /// Whether a known task was submitted without any work.
  bool weightless(const void* task, Ticket ticket);
  /// Gives such a task its work, or one whose work was guessed.
  void weigh(const void* task, Ticket ticket, Work work);

  /// The ticket will be used soon: prefetches what it refers to.
  void fetch(Ticket ticket) const {
    const std::size_t number = std::size_t{ticket} / 2 - 1;
    if (ticket % 2 == 0) {
      if (number < lone_.size()) fetch_ahead(&lone_[number]);
    } else if (number / kSlab < slabs_.size()) {
      fetch_ahead(&slabs_[number / kSlab][number % kSlab], sizeof(Node));
    }
  }

  /// Removes the task, if it is known.
  void finish(const void* task, Ticket ticket);

  /// Where a task stands. All 0 for one that is not known.
  struct Standing {
    double tail = 0;           ///< as of the last pass, seconds
    std::size_t position = 0;  ///< in the order of submission, from 1
    bool home = false;         ///< what it writes is needed in main memory next
  };
  Standing standing(const void* task, Ticket ticket);

  /// Whether another pass is worth its cost: some work is new since the last pass, and the tasks with data that were
  /// submitted or handed out since then are at least a quarter of all known tasks.
  bool stale() const { return fresh_ > 0 && (fresh_ + begun_) * 4 > size_; }

  /// What `update` passes on for the task. A task without data is never passed on.
  void tag(const void* task, Ticket ticket, void* tag);

  /// The task was handed out: `update` does not pass it on any more, and it does not count as waiting.
  void begin(const void* task, Ticket ticket);

  /// Leaves a pass to the next `update`, which then computes the tails as of now: it ignores tasks submitted after this
  /// call. So a pass whose result nobody needs before the next one is never made.
  void postpone() {
    postponed_ = true;
    newest_ = last_;
    fresh_ = begun_ = 0;
  }
  bool postponed() const { return postponed_; }

  /// Updates all tails, as of now or of `postpone`. Calls `changed(tag, tail)` for each task with a tag whose tail has
  /// changed.
  template <class Changed>
  void update(Changed changed) {
    if (!postponed_) postpone();
    postponed_ = false;
    forget_met();
    waiting_.clear();
    Node* node = last_;
    for (; node != newest_; node = node->previous) {
      if (node->waits) waiting_.add(node->level, node->work.share);
    }
    for (; node != nullptr; node = node->previous) {  // tasks that wait for it were visited before
      if (settle(*node) && node->tag != nullptr) changed(node->tag, node->tail);
    }
  }

  /// Valid as long as the graph. Upward ranks are those of the last pass.
  Outstanding outstanding() const {
    return {.seconds = total_, .replaced = replacement_.share(), .waiting = &waiting_};
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kSlab = 512;  // nodes
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Node;
  struct Reader {
    Node* node;
    std::size_t use;
  };
  struct History {
    const void* data;
    std::size_t users = 0;  // uses by known tasks
    Node* writer = nullptr;
    std::vector<Reader> readers = {};  // since the writer, or those that reduce it
    bool reduced = false;              // the latter
  };
  struct Use {
    History* history;
    std::size_t place;  // among the data's readers; kNone: not among them
  };
  /// A task that another one waits for. If it finished and its node is used again, `birth` differs.
  struct Predecessor {
    Node* node;
    std::size_t birth;
  };
  struct alignas(64) Node {  // of a task that uses data; a pass touches the first two of three cache lines
    const void* task = nullptr;
    bool waits = false;                 // it was not handed out
    bool home = false;                  // what it writes is needed in main memory
    WorkByUpwardRank::Level level = 0;  // in `waiting_`, if it waits
    Work work;
    void* tag = nullptr;
    double tail = 0;
    double longest = 0;  // during a pass: the tail so far; between passes 0
    std::size_t birth = 0;

    Node* previous = nullptr;  // in order of submission
    boost::container::small_vector<Predecessor, 2> predecessors;

    Node* next = nullptr;
    boost::container::small_vector<Use, 2> uses;
  };

  struct Lone {  // a task that uses no data: in no chain, and small, so that long queues stay in the caches
    const void* task = nullptr;
    double share = 0;
    std::size_t birth = 0;
  };

  Node& node_of(Ticket ticket) const { return slabs_[(ticket / 2 - 1) / kSlab][(ticket / 2 - 1) % kSlab]; }
  Node* known(const void* task, Ticket ticket) const;
  Lone* lone(const void* task, Ticket ticket);
  void count(double share);
  void join(Node& node, std::span<const DataUse> uses);
  void part(Node& node);
  void add_meeting(Ticket ticket, std::span<const DataUse> uses);
  void forget_met();
  bool settle(Node& node);
  void count_no_more(Node& node);
  template <class List>
  static void forget(List& list);
  static void leave(Node& node, std::size_t use);
  static void wait_for(Node& node, Node* other);

  std::vector<std::unique_ptr<Node[]>> slabs_;  // node n is number n % kSlab of slab n / kSlab; its ticket 2n + 3
  FreeNumbers nodes_;
  std::vector<Ticket> meetings_;  // nodes at which uses meet, in order
  std::deque<Lone> lone_;         // the ticket of number n is 2n + 2
  FreeNumbers lones_;
  Node* last_ = nullptr;    // the last submitted task that uses data
  Node* newest_ = nullptr;  // the newest task of a postponed pass
  bool postponed_ = false;
  std::unordered_map<const void*, History> data_;  // looked up only: no order depends on addresses
  std::size_t size_ = 0;
  std::size_t births_ = 0;
  std::size_t fresh_ = 0;  // tasks that use data and got their work since the last pass
  std::size_t begun_ = 0;  // those that were handed out since
  double total_ = 0;
  WorkByUpwardRank waiting_;
  Replacement replacement_;
};

}  // namespace starpath
