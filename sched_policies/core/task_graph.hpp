// Submitted tasks and which wait for which, as far as their data tells: how much work is known to follow a task.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "sched_policies/core/task_record.hpp"

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
/// Tails are brought up to date by one pass over all tasks; passes are so rare that they cost O(1) a submission.
class TaskGraph {
 public:
  /// What a task adds: the seconds it takes where it is fastest, and those that it would keep the whole machine busy.
  struct Work {
    double seconds = 0;
    double share = 0;
  };

  /// `task` stands for the task until it finishes; submitting it again replaces what was known of it.
  void submit(const void* task, std::span<const DataUse> uses, Work work);

  /// Forgets the task; one that is not known is ignored.
  void finish(const void* task);

  /// The tail as of the last pass, seconds; 0 for a task that is not known.
  double tail(const void* task) const;

  /// Whether tails are worth another pass: enough was submitted since the last one.
  bool stale() const { return fresh_ > kFewest && fresh_ * 4 > nodes_in_use_; }

  /// What `update` names the task by; nullptr: it does not.
  void tag(const void* task, void* tag);

  /// Brings all tails up to date; calls `changed(tag, tail)` for each task with a tag whose tail is another now.
  template <class Changed>
  void update(Changed changed) {
    compute();
    for (NodeId id = first_; id != kNone; id = nodes_[id].next) {
      Node& node = nodes_[id];
      if (node.tail != node.told && node.tag != nullptr) changed(node.tag, node.tail);
      node.told = node.tail;
    }
  }

  /// How long the whole machine would be busy with all that is known, if every class took its share of each task.
  double total() const { return total_; }
  std::size_t size() const { return nodes_in_use_; }

 private:
  using NodeId = std::size_t;
  static constexpr NodeId kNone = static_cast<NodeId>(-1);
  static constexpr std::size_t kFewest = 8;

  struct Node {
    const void* task = nullptr;
    Work work;
    double tail = 0, told = 0;  // before and after a pass the same
    void* tag = nullptr;
    NodeId previous = kNone, next = kNone;  // in order of submission
    std::vector<NodeId> predecessors;       // may have finished meanwhile, and their numbers be used again
    std::vector<std::size_t> births;        // of the predecessors, to tell
    std::size_t birth = 0;
    std::vector<DataUse> uses;
    std::vector<std::size_t> place;  // of each use among the data's readers; kNone: not among them
  };
  struct Reader {
    NodeId node;
    std::size_t use;
  };
  struct History {
    NodeId writer = kNone;
    std::vector<Reader> readers;  // since
  };

  void compute();
  NodeId take();
  void leave(History& history, NodeId id, std::size_t use);
  void wait_for(Node& node, NodeId other);

  std::vector<Node> nodes_;
  std::vector<NodeId> free_;
  NodeId first_ = kNone, last_ = kNone;
  std::unordered_map<const void*, NodeId> node_of_;
  std::unordered_map<const void*, History> data_;  // looked up only: no order depends on addresses
  std::size_t nodes_in_use_ = 0;
  std::size_t births_ = 0;
  std::size_t fresh_ = 0;  // submitted since the last pass
  double total_ = 0;
};

}  // namespace starpath
