// Queued tasks with about the same ratios of costs, side by side: a decision looks at kinds of task, not at tasks.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/ordered_tasks.hpp"
#include "sched_policies/apex/steps.hpp"

namespace starpath {

/// Tasks of one eligibility group whose costs have about the same ratios at all places, in two orders:
///   - by age: the higher priority first, then the older;
///   - by upward rank, then priority, then age. Upward ranks are told apart in levels of 1/256 to 1/512, so the cost of
///     this order does not grow with the tasks.
/// Not empty when it is asked for a task.
class CostBucket {
 public:
  explicit CostBucket(std::pmr::memory_resource* memory) : by_age_(memory), by_upward_rank_(memory) {}

  void insert(CostedTask& task) {
    by_age_.insert(age_of(task), task);
    by_upward_rank_.insert(upward_rank_key(task), task);
  }
  void remove(CostedTask& task) {
    by_age_.remove(age_of(task), task);
    by_upward_rank_.remove(upward_rank_key(task), task);
  }
  void set_upward_rank(CostedTask& task, double upward_rank) {
    by_upward_rank_.remove(upward_rank_key(task), task);
    task.upward_rank = upward_rank;
    by_upward_rank_.insert(upward_rank_key(task), task);
  }
  CostedTask& first() const { return by_age_.lowest_oldest(); }
  CostedTask& highest() const { return by_upward_rank_.highest_oldest(); }
  CostedTask& lowest() const { return by_upward_rank_.lowest_youngest(); }
  bool empty() const { return by_age_.empty(); }

 private:
  static AgeKey age_of(const CostedTask& task) { return -static_cast<AgeKey>(task.task->priority); }

  /// The bits of a number that is not negative sort as the number does. These are its exponent and eight binary digits.
  static UpwardRankKey upward_rank_key(const CostedTask& task) {
    return {static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(task.upward_rank) >> 44), task.task->priority};
  }

  OrderedTasks<AgeKey, &CostedTask::by_age> by_age_;
  OrderedTasks<UpwardRankKey, &CostedTask::by_upward_rank> by_upward_rank_;
};

/// All buckets that hold tasks. Ratios of costs are told apart in steps of a fifth (see step_of).
class CostBuckets {
 public:
  /// `ratios`: a task's cost at each place over its lowest, at least 1; infinite where it cannot run.
  void insert(CostedTask& task, const std::vector<double>& ratios) {
    task.bucket = number(task.task->group, ratios);
    Entry& entry = buckets_[task.bucket];
    if (entry.bucket.empty()) {
      entry.slot = filled_.size();
      filled_.push_back(task.bucket);
    }
    entry.bucket.insert(task);
    task.waiting = true;
    ++size_;
  }

  void remove(CostedTask& task) {
    Entry& entry = buckets_[task.bucket];
    entry.bucket.remove(task);
    task.waiting = false;
    --size_;
    if (!entry.bucket.empty()) return;
    filled_[entry.slot] = filled_.back();
    buckets_[filled_[entry.slot]].slot = entry.slot;
    filled_.pop_back();
    if (size_ == 0 && buckets_.size() > kKeptBuckets) forget();
  }

  /// Of a waiting task.
  void set_upward_rank(CostedTask& task, double upward_rank) {
    buckets_[task.bucket].bucket.set_upward_rank(task, upward_rank);
  }

  std::size_t filled() const { return filled_.size(); }
  const CostBucket& operator[](std::size_t slot) const { return buckets_[filled_[slot]].bucket; }
  const CostBucket& numbered(std::uint32_t bucket) const { return buckets_[bucket].bucket; }
  GroupId group(std::size_t slot) const { return buckets_[filled_[slot]].group; }
  std::size_t size() const { return size_; }

 private:
  using Key = std::pair<GroupId, std::vector<std::int8_t>>;
  struct Entry {
    CostBucket bucket;
    std::size_t slot;
    GroupId group;  // of all its tasks
  };
  static constexpr std::size_t kKeptBuckets = 4096;

  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.first;
      for (const std::int8_t level : key.second) {
        hash = (hash ^ static_cast<std::uint8_t>(level)) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
      }
      return static_cast<std::size_t>(hash);
    }
  };

  std::uint32_t number(GroupId group, const std::vector<double>& ratios) {
    if (!last_ratios_.empty() && key_.first == group && last_ratios_ == ratios) return last_;
    key_.first = group;
    key_.second.clear();
    for (const double ratio : ratios) key_.second.push_back(level(ratio));
    const auto [place, fresh] = numbers_.try_emplace(key_, static_cast<std::uint32_t>(buckets_.size()));
    if (fresh) buckets_.push_back({CostBucket(pool_.get()), 0, group});
    last_ratios_ = ratios;
    return last_ = place->second;
  }
  static std::int8_t level(double ratio) {
    return static_cast<std::int8_t>(std::isfinite(ratio) ? std::min(126.0, step_of(ratio)) : 127);
  }
  void forget() {
    last_ratios_.clear();
    numbers_.clear();
    buckets_.clear();
    filled_.clear();
  }

  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_ =
      std::make_unique<std::pmr::unsynchronized_pool_resource>();  // outlives the buckets
  Key key_;                                                        // of the task inserted last; its number is `last_`
  std::vector<double> last_ratios_;                                // of that task; empty: no task yet
  std::uint32_t last_ = 0;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;  // looked up only
  std::vector<Entry> buckets_;
  std::vector<std::size_t> filled_;
  std::size_t size_ = 0;
};

}  // namespace starpath
