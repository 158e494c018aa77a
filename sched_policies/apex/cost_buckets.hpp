// Queued tasks of about the same relative costs side by side, so that a decision looks at kinds of task, not at tasks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sched_policies/apex/steps.hpp"
#include "sched_policies/core/fetch_ahead.hpp"
#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/planning/task_costs.hpp"

namespace starpath {

/// A place: the workers of one class that share one memory. A task costs the same on all of them.
using PlaceId = unsigned;

struct CostedTask;

/// A task's place among OrderedTasks: its neighbours in the line of equals. One that came late is its own neighbour.
struct TaskLine {
  CostedTask* first = nullptr;
  CostedTask* last = nullptr;
};
template <class Key>
struct TaskPlace {
  CostedTask* previous = nullptr;
  CostedTask* next = nullptr;
  typename std::pmr::map<Key, TaskLine>::iterator line;
};

using AgeKey = long;                                  // the priority, negative
using UpwardRankKey = std::pair<std::uint32_t, int>;  // level of the upward rank, priority

/// A queued task and its costs.
struct alignas(64) CostedTask : PolicyNode {
  TaskRecord* task = nullptr;
  double upward_rank =
      0;                ///< seconds to the end of the longest chain that begins with it, each task where it is fastest
  float least = 0;      ///< seconds where it is fastest
  float cheapest = 0;   ///< seconds where it costs least, copies included
  double left_at = -1;  ///< seconds: when somebody first left it to others; below 0: nobody did
  std::uint32_t bucket = 0;
  bool waiting = false;    ///< in its bucket
  bool fetching = false;   ///< reserved, and its copies are not under way yet
  std::uint8_t level = 0;  ///< of its upward rank, while it waits
  TaskPlace<AgeKey> by_age;
  TaskPlace<UpwardRankKey> by_upward_rank;
  std::array<float, kMaxDeviceClasses> seconds{};          ///< to be expected, after how wrong such estimates were;
                                                           ///< infinite where it cannot run
  std::array<std::int8_t, kMaxDeviceClasses> corrected{};  ///< 20 times the logarithm of that over the estimate
  std::array<float, kMaxMemories> copies{};
};

static_assert(sizeof(CostedTask) == 192, "long queues are cold: a costed task is three cache lines");

/// Waiting tasks in order of a key, equals in order of arrival. Equals that come in order of arrival, as almost all do,
/// are linked through themselves: what they cost grows with the distinct keys, not with the tasks. One that comes
/// late, because its key changed or because it comes again, has an entry of its own.
template <class Key, TaskPlace<Key> CostedTask::*kPlace>
class OrderedTasks {
 public:
  explicit OrderedTasks(std::pmr::memory_resource* memory) : lines_(memory), late_(memory) {}

  void insert(const Key& key, CostedTask& task) {
    TaskPlace<Key>& place = task.*kPlace;
    place.line = lines_.try_emplace(key).first;
    TaskLine& line = place.line->second;
    if (line.last != nullptr && line.last->task->sequence > task.task->sequence) {
      late_.emplace(std::pair(key, task.task->sequence), &task);
      place.previous = place.next = &task;
      return;
    }
    place.previous = line.last;
    place.next = nullptr;
    (line.last == nullptr ? line.first : (line.last->*kPlace).next) = &task;
    line.last = &task;
  }

  void remove(const Key& key, CostedTask& task) {
    TaskPlace<Key>& place = task.*kPlace;
    if (place.next == &task) {
      late_.erase({key, task.task->sequence});
      return;
    }
    TaskLine& line = place.line->second;
    (place.previous == nullptr ? line.first : (place.previous->*kPlace).next) = place.next;
    (place.next == nullptr ? line.last : (place.next->*kPlace).previous) = place.previous;
    if (line.first == nullptr) {
      lines_.erase(place.line);
    } else if (place.previous == nullptr) {
      fetch(*line.first);
    }
  }

  bool empty() const { return lines_.empty() && late_.empty(); }

  /// Of the lowest key, or of the highest, the oldest or the youngest. Not while empty.
  CostedTask& lowest_oldest() const {
    if (late_.empty()) return *lines_.begin()->second.first;
    if (lines_.empty()) return *late_.begin()->second;
    CostedTask& own = *lines_.begin()->second.first;
    return std::pair(lines_.begin()->first, own.task->sequence) < late_.begin()->first ? own : *late_.begin()->second;
  }
  CostedTask& lowest_youngest() const {
    if (late_.empty()) return *lines_.begin()->second.last;
    const Key& key = late_.begin()->first.first;
    const auto late = std::prev(late_.upper_bound({key, std::numeric_limits<std::uint64_t>::max()}));
    if (lines_.empty() || key < lines_.begin()->first) return *late->second;
    CostedTask& own = *lines_.begin()->second.last;
    return lines_.begin()->first < key || own.task->sequence > late->first.second ? own : *late->second;
  }
  CostedTask& highest_oldest() const {
    if (late_.empty()) return *lines_.rbegin()->second.first;
    const Key& key = late_.rbegin()->first.first;
    const auto late = late_.lower_bound({key, 0});
    if (lines_.empty() || lines_.rbegin()->first < key) return *late->second;
    CostedTask& own = *lines_.rbegin()->second.first;
    return key < lines_.rbegin()->first || own.task->sequence < late->first.second ? own : *late->second;
  }

 private:
  /// Long queues are cold. What will leave soon is fetched in steps, each from what the step of the task before
  /// fetched.
  static void fetch(const CostedTask& first) {
    const CostedTask* const second = (first.*kPlace).next;
    fetch_ahead(first.task->owner);
    if (second == nullptr) return;
    fetch_ahead(second->task, sizeof(TaskRecord));
    fetch_ahead((second->*kPlace).next, sizeof(CostedTask));
  }

  std::pmr::map<Key, TaskLine> lines_;
  std::pmr::map<std::pair<Key, std::uint64_t>, CostedTask*> late_;
};

/// Tasks of one group whose costs have about the same ratios everywhere, in two orders: by age (the higher priority,
/// then the older, first) and by upward rank (then priority, then age). Upward ranks are told apart in levels of 1/256
/// to 1/512, so that what an order costs does not grow with the tasks. Never empty when asked for a task.
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
  /// Gives a task another upward rank.
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

  /// Bits of numbers that are not negative are ordered as they are; these are the exponent and eight digits.
  static UpwardRankKey upward_rank_key(const CostedTask& task) {
    return {static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(task.upward_rank) >> 44), task.task->priority};
  }

  OrderedTasks<AgeKey, &CostedTask::by_age> by_age_;
  OrderedTasks<UpwardRankKey, &CostedTask::by_upward_rank> by_upward_rank_;
};

/// All buckets that hold tasks. Ratios of costs are told apart in steps of a fifth.
class CostBuckets {
 public:
  /// `ratios`: a task's cost at each place over its lowest, at least 1; infinite where it cannot run.
  void insert(CostedTask& task, const std::vector<double>& ratios) {
    task.bucket = number(task.task->group, ratios);
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

  /// Gives a waiting task another upward rank.
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
  struct Numbered {
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
  Key key_;                                                        // of the task inserted last, whose number is `last_`
  std::vector<double> last_ratios_;                                // the same; empty: there is none
  std::uint32_t last_ = 0;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;  // looked up only
  std::vector<Numbered> buckets_;
  std::vector<std::size_t> filled_;
  std::size_t size_ = 0;
};

}  // namespace starpath
