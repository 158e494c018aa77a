// Submitted tasks and which wait for which, as far as their data tells: how much work is known to follow a task.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched_policies/core/fetch_ahead.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/planning/free_numbers.hpp"
#include "sched_policies/planning/outstanding.hpp"
#include "sched_policies/planning/replacement.hpp"

namespace starpath {

/// One piece of data that a task uses; `data` is any address that stands for it.
struct DataUse {
  const void* data = nullptr;
  bool writes = false;
};

/// Tasks that were submitted and have not finished, in order of submission. A task waits for the last one before it
/// that wrote what it uses, and if it writes, for those that read it since (sequential consistency). Dependencies of
/// other kinds are not known. Not thread-safe.
///
/// A task's *tail* is the longest chain of known tasks that wait for it, each as long as it takes where it is fastest.
/// Tails are brought up to date by one pass over all tasks that use data; passes are so rare that they cost O(1) a
/// submission.
class TaskGraph {
 public:
  /// What a task adds: the seconds it takes where it is fastest, and those that it would keep the whole machine busy.
  struct Work {
    double seconds = 0;
    double share = 0;
  };

  /// Where the graph keeps a task, for its owner to hold: what is asked of a task takes no search. Any value may be
  /// handed in with any task: it is looked at only where it is that of the task. Odd: the task uses data.
  using Ticket = std::uint32_t;
  static constexpr Ticket kNoTicket = 0;

  /// A ticket for a task that is to be submitted with it; `data`: one that uses data.
  Ticket reserve(bool data);

  /// `task` stands for the task until it finishes; `ticket` was reserved for one like it. A task that is still known by
  /// the ticket `old` is replaced.
  void submit(const void* task, Ticket ticket, std::span<const DataUse> uses, Work work, Ticket old = kNoTicket);

  /// The ticket will be used soon: what it leads to is mostly cold.
  void fetch(Ticket ticket) const {
    const std::size_t number = std::size_t{ticket} / 2 - 1;
    if (ticket % 2 == 0) {
      if (number < lone_.size()) fetch_ahead(&lone_[number]);
    } else if (number / kSlab < slabs_.size()) {
      fetch_ahead(&slabs_[number / kSlab][number % kSlab], sizeof(Node));
    }
  }

  /// Forgets the task; one that is not known is ignored.
  void finish(const void* task, Ticket ticket);

  /// The tail as of the last pass, seconds; 0 for a task that is not known.
  double tail(const void* task, Ticket ticket) const;

  /// Whether tails are worth another pass: enough was submitted since the last one.
  bool stale() const { return fresh_ > kFewest && fresh_ * 4 > size_; }

  /// What `update` names the task by. A task without data is never named, nor looked at.
  void tag(const void* task, Ticket ticket, void* tag);

  /// Somebody took the task: it is not named any more, and does not count as waiting.
  void begin(const void* task, Ticket ticket);

  /// Leaves a pass for the next `update`. Of what is submitted meanwhile that one knows nothing: tails will be those of
  /// now. A pass that nobody asks for before the next one is saved.
  void postpone() {
    postponed_ = true;
    newest_ = last_;
    fresh_ = 0;
  }
  bool postponed() const { return postponed_; }

  /// Brings all tails up to date, as of now or of `postpone`; calls `changed(tag, tail)` for each task with a tag whose
  /// tail is another now.
  template <class Changed>
  void update(Changed changed) {
    if (!postponed_) postpone();
    postponed_ = false;
    waiting_.clear();
    Node* node = last_;
    for (; node != newest_; node = node->previous) {
      if (node->waits) waiting_.add(node->level, node->work.share);
    }
    for (; node != nullptr; node = node->previous) {  // whoever waits for it came before
      if (settle(*node) && node->tag != nullptr) changed(node->tag, node->tail);
    }
  }

  /// Valid while the graph is; what waits is told by upward ranks as of the last pass.
  Outstanding outstanding() const {
    return {.seconds = total_, .replaced = replacement_.share(), .waiting = &waiting_};
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kFewest = 8;
  static constexpr std::size_t kSlab = 512;  // nodes
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Node;
  struct Reader {
    Node* node;
    std::size_t use;
  };
  struct History {
    const void* data;
    std::size_t users = 0;  // known tasks that use it, as often as they do
    Node* writer = nullptr;
    std::vector<Reader> readers = {};  // since
  };
  struct Use {
    History* history;
    std::size_t place;  // among the data's readers; kNone: not among them
  };
  /// A task that another one waits for. It may have finished meanwhile, and its node be used again: `birth` tells.
  struct Predecessor {
    Node* node;
    std::size_t birth;
  };
  struct alignas(64) Node {  // of a task that uses data; a pass touches the first two of three cache lines
    const void* task = nullptr;
    bool waits = false;                 // nobody took it
    WorkByUpwardRank::Level level = 0;  // where it counts if so
    Work work;
    void* tag = nullptr;
    double tail = 0;
    double longest = 0;  // the tail as far as a pass has come; between passes 0
    std::size_t birth = 0;

    Node* previous = nullptr;  // in order of submission
    boost::container::small_vector<Predecessor, 2> predecessors;

    Node* next = nullptr;
    boost::container::small_vector<Use, 2> uses;
  };

  struct Lone {  // a task that uses no data: in no chain, and so small that long queues of such stay in the caches
    const void* task = nullptr;
    double share = 0;
  };

  Node* known(const void* task, Ticket ticket) const;
  Lone* lone(const void* task, Ticket ticket);
  void join(Node& node, std::span<const DataUse> uses);
  void part(Node& node);
  bool settle(Node& node);
  void count_no_more(Node& node);
  static void leave(Node& node, std::size_t use);
  static void wait_for(Node& node, Node* other);

  std::vector<std::unique_ptr<Node[]>> slabs_;  // node n is number n % kSlab of slab n / kSlab; its ticket 2n + 3
  FreeNumbers nodes_;
  std::deque<Lone> lone_;  // the ticket of number n is 2n + 2
  FreeNumbers lones_;
  Node* last_ = nullptr;    // of those that use data
  Node* newest_ = nullptr;  // that a postponed pass knows
  bool postponed_ = false;
  std::unordered_map<const void*, History> data_;  // looked up only: no order depends on addresses
  std::size_t size_ = 0;
  std::size_t births_ = 0;
  std::size_t fresh_ = 0;  // submitted since the last pass
  double total_ = 0;
  WorkByUpwardRank waiting_;
  Replacement replacement_;
};

}  // namespace starpath
