// One queue an eligibility group, for the groups that have tasks queued.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "sched_policies/core/eligibility.hpp"

namespace starpath {

/// Queues of type `Queue`, one for each group, in slots 0 .. size() - 1. `Queue::empty()` says whether it holds tasks.
/// A slot's number and address are valid until another group appears or one is retired.
template <class Queue>
class ActiveGroups {
 public:
  explicit ActiveGroups(const EligibilityTable& eligibility) : eligibility_(&eligibility) {}

  /// The queue of `group`; `make()` builds it when it is not there.
  template <class Make>
  Queue& of(GroupId group, Make make) {
    if (group >= slot_of_.size()) slot_of_.resize(group + 1, kNoSlot);
    if (slot_of_[group] == kNoSlot) {
      slot_of_[group] = active_.size();
      active_.push_back({group, make()});
    }
    return active_[slot_of_[group]].queue;
  }

  /// Call when the queue of `group` has become empty. Drops it, unless there are so few groups that looking at an empty
  /// queue costs less than making it again.
  void retire(GroupId group) {
    if (active_.size() <= kKeptGroups) return;
    const std::size_t slot = slot_of_[group];
    slot_of_[group] = kNoSlot;
    if (slot + 1 != active_.size()) {
      active_[slot] = std::move(active_.back());
      slot_of_[active_[slot].group] = slot;
    }
    active_.pop_back();
  }

  std::size_t size() const { return active_.size(); }
  Queue& operator[](std::size_t slot) { return active_[slot].queue; }
  /// Whether the slot holds a task and `worker` may run it.
  bool serves(std::size_t slot, WorkerId worker) const {
    return !active_[slot].queue.empty() && eligibility_->contains(active_[slot].group, worker);
  }

 private:
  struct Active {
    GroupId group;
    Queue queue;
  };
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  static constexpr std::size_t kKeptGroups = 16;

  const EligibilityTable* eligibility_;
  std::vector<Active> active_;
  std::vector<std::size_t> slot_of_;
};

}  // namespace starpath
