// Queued tasks of about the same relative costs side by side, so that a decision looks at kinds of task, not at tasks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <tuple>
#include <utility>
#include <vector>

#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/core/task_costs.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A place: the workers of one class that share one memory. A task costs the same on all of them.
using PlaceId = unsigned;

/// A queued task and its costs. As aligned as a TaskRecord, so that a record can point to it.
struct alignas(TaskRecord) CostedTask {
  TaskRecord* task = nullptr;
  std::size_t bucket = 0;
  double rank = 0;       ///< seconds to the end of the longest chain that begins with it, each task where it is fastest
  double least = 0;      ///< seconds where it is fastest
  double cheapest = 0;   ///< seconds where it costs least, copies included
  bool waiting = false;  ///< in its bucket
  std::array<float, kMaxDeviceClasses> seconds{};
  std::array<float, kMaxMemories> copies{};
  bool fetching = false;  ///< reserved, and its copies are not under way yet
  double left_until = 0;  ///< seconds: who may leave it to others may do so until then; 0: nobody left it yet
};

/// Tasks of one group whose costs have about the same ratios everywhere, in two orders: by age (the higher priority,
/// then the older, first) and by rank. Never empty when asked for a task.
class CostBucket {
 public:
  explicit CostBucket(std::pmr::memory_resource* memory) : by_age_(memory), by_rank_(memory) {}

  void insert(CostedTask& task) {
    by_age_.emplace(Age{-static_cast<long>(task.task->priority), task.task->sequence}, &task);
    by_rank_.emplace(rank_of(task), &task);
  }
  void remove(const CostedTask& task) {
    by_age_.erase({-static_cast<long>(task.task->priority), task.task->sequence});
    by_rank_.erase(rank_of(task));
  }
  CostedTask& first() const { return *by_age_.begin()->second; }
  CostedTask& highest() const { return *by_rank_.rbegin()->second; }
  CostedTask& lowest() const { return *by_rank_.begin()->second; }
  bool empty() const { return by_age_.empty(); }

 private:
  using Age = std::pair<long, std::uint64_t>;
  using Rank = std::tuple<double, int, std::uint64_t>;
  static Rank rank_of(const CostedTask& task) { return {task.rank, task.task->priority, ~task.task->sequence}; }

  std::pmr::map<Age, CostedTask*> by_age_;
  std::pmr::map<Rank, CostedTask*> by_rank_;
};

/// All buckets that hold tasks. Ratios of costs are told apart in steps of a fifth.
class CostBuckets {
 public:
  /// `ratios`: a task's cost at each place over its lowest, at least 1; infinite where it cannot run.
  void insert(CostedTask& task, const std::vector<double>& ratios) {
    key_.first = task.task->group;
    key_.second.clear();
    for (const double ratio : ratios) key_.second.push_back(level(ratio));
    const auto [place, fresh] = numbers_.try_emplace(key_, buckets_.size());
    if (fresh) buckets_.push_back({CostBucket(pool_.get()), 0});
    task.bucket = place->second;
    Numbered& own = buckets_[task.bucket];
    if (own.bucket.empty()) {
      own.slot = filled_.size();
      filled_.push_back(task.bucket);
    }
    own.bucket.insert(task);
    task.waiting = true;
    ++size_;
  }

  void remove(CostedTask& task) {
    Numbered& own = buckets_[task.bucket];
    own.bucket.remove(task);
    task.waiting = false;
    --size_;
    if (!own.bucket.empty()) return;
    filled_[own.slot] = filled_.back();
    buckets_[filled_[own.slot]].slot = own.slot;
    filled_.pop_back();
    if (size_ == 0 && buckets_.size() > kKeptBuckets) forget();
  }

  /// Gives a waiting task another rank.
  void rerank(CostedTask& task, double rank) {
    CostBucket& own = buckets_[task.bucket].bucket;
    own.remove(task);
    task.rank = rank;
    own.insert(task);
  }

  std::size_t filled() const { return filled_.size(); }
  const CostBucket& operator[](std::size_t slot) const { return buckets_[filled_[slot]].bucket; }
  std::size_t size() const { return size_; }

 private:
  using Key = std::pair<GroupId, std::vector<std::int8_t>>;
  struct Numbered {
    CostBucket bucket;
    std::size_t slot;
  };
  static constexpr std::size_t kKeptBuckets = 4096;

  static std::int8_t level(double ratio) {
    return static_cast<std::int8_t>(std::isfinite(ratio) ? std::min(126.0, std::round(4 * std::log2(ratio))) : 127);
  }
  void forget() {
    numbers_.clear();
    buckets_.clear();
    filled_.clear();
  }

  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_ =
      std::make_unique<std::pmr::unsynchronized_pool_resource>();  // outlives the buckets
  Key key_;                                                        // of the task being inserted; kept for its memory
  std::map<Key, std::size_t> numbers_;
  std::vector<Numbered> buckets_;
  std::vector<std::size_t> filled_;
  std::size_t size_ = 0;
};

}  // namespace starpath
