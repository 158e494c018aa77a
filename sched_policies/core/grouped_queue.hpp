// A sorted queue split by eligibility group, so that a worker only ever sees tasks it may run.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <vector>

#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// Tasks sorted by `Key`, a totally ordered value type with a member `TaskRecord* task` that takes no part in the
/// order. Nodes come from a pool, so that a queue that has been as long before allocates nothing.
template <class Key>
class GroupedQueue {
 public:
  explicit GroupedQueue(const EligibilityTable& eligibility)
      : eligibility_(&eligibility), pool_(std::make_unique<std::pmr::unsynchronized_pool_resource>()) {}

  void insert(const Key& key) {
    const GroupId group = key.task->group;
    if (group >= slot_of_.size()) slot_of_.resize(group + 1, kNoSlot);
    if (slot_of_[group] == kNoSlot) {
      slot_of_[group] = active_.size();
      active_.push_back({group, std::pmr::set<Key>(pool_.get())});
    }
    active_[slot_of_[group]].keys.insert(key);
    ++size_;
  }

  void erase(const Key& key) {
    auto& keys = active_[slot_of_[key.task->group]].keys;
    keys.erase(key);
    --size_;
    if (keys.empty() && active_.size() > kKeptGroups) retire(key.task->group);
  }

  /// The best key that `worker` may take, where `choose` picks one key of a group's sorted keys (never empty) and
  /// `better(a, b)` says that a goes before b.
  template <class Choose, class Better>
  std::optional<Key> best(WorkerId worker, Choose choose, Better better) const {
    std::optional<Key> found;
    for (const Active& active : active_) {
      if (active.keys.empty() || !eligibility_->contains(active.group, worker)) continue;
      const Key& candidate = choose(active.keys);
      if (!found || better(candidate, *found)) found = candidate;
    }
    return found;
  }

  /// The smallest key that `worker` may take.
  std::optional<Key> first(WorkerId worker) const {
    return best(
        worker, [](const auto& keys) -> const Key& { return *keys.begin(); },
        [](const Key& a, const Key& b) { return a < b; });
  }

  std::size_t size() const { return size_; }

 private:
  struct Active {
    GroupId group;
    std::pmr::set<Key> keys;
  };
  static constexpr std::size_t kNoSlot = static_cast<std::size_t>(-1);
  // Below this many groups an empty one is kept for its next task: looking at it costs less than making it again.
  static constexpr std::size_t kKeptGroups = 16;

  void retire(GroupId group) {
    const std::size_t slot = slot_of_[group];
    slot_of_[group] = kNoSlot;
    if (slot + 1 != active_.size()) {
      active_[slot] = std::move(active_.back());
      slot_of_[active_[slot].group] = slot;
    }
    active_.pop_back();
  }

  const EligibilityTable* eligibility_;
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_;  // outlives the sets below
  std::vector<Active> active_;
  std::vector<std::size_t> slot_of_;
  std::size_t size_ = 0;
};

}  // namespace starpath
