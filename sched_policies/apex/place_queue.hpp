// The tasks that are planned at one place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "sched_policies/apex/ordered_tasks.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/planning/work_by_upward_rank.hpp"

namespace starpath {

/// Waiting tasks by kind, each kind in order of urgency, and how many seconds of work go before a task. The urgency of
/// a task does not change while it is in here. Not thread-safe.
class PlaceQueue {
 public:
  void insert(CostedTask& task) {
    const std::uint32_t number = number_of(task);
    if (number >= kinds_.size()) kinds_.resize(number + 1);
    Kind& kind = kinds_[number];
    if (kind.tasks == nullptr) kind.tasks = std::make_unique<OrderedTasks>(pool_.get());
    if (kind.tasks->empty()) {
      kind.slot = filled_.size();
      filled_.push_back(number);
    }
    kind.tasks->insert(task);
    Work& work = work_[level(task)];
    work.seconds += task.work;
    ++work.tasks;
    ++size_;
    remote_ += !task.urgency.local;
    if (task.fetched != kNowhere) fetched_ += task.fills;
  }

  void remove(CostedTask& task) {
    const std::uint32_t number = number_of(task);
    Kind& kind = kinds_[number];
    kind.tasks->remove(task);
    const auto work = work_.find(level(task));
    work->second.seconds -= task.work;
    if (--work->second.tasks == 0) work_.erase(work);  // no rounding errors pile up
    --size_;
    remote_ -= !task.urgency.local;
    if (task.fetched != kNowhere) fetched_ = size_ > 0 ? fetched_ - task.fills : 0;
    if (!kind.tasks->empty()) return;
    filled_[kind.slot] = filled_.back();
    kinds_[filled_[kind.slot]].slot = kind.slot;
    filled_.pop_back();
  }

  /// The work of all tasks at least as urgent as this one, itself included if it waits here. Upward ranks within a
  /// tenth count as equal.
  double seconds_until(const CostedTask& task) const {
    double sum = 0;
    const Level until = level(task);
    for (auto work = work_.rbegin(); work != work_.rend() && work->first >= until; ++work) sum += work->second.seconds;
    return sum;
  }

  static bool goes_before(const CostedTask& a, const CostedTask& b) {
    return a.urgency != b.urgency ? a.urgency > b.urgency : a.task->sequence < b.task->sequence;
  }

  /// The most urgent task that `worker` may run; the oldest of equals; nullptr: none.
  CostedTask* first(WorkerId worker, const EligibilityTable& eligibility) const {
    CostedTask* best = nullptr;
    for (const std::uint32_t number : filled_) {
      CostedTask& task = kinds_[number].tasks->first();
      if (!eligibility.contains(task.task->group, worker)) continue;
      if (best == nullptr || goes_before(task, *best)) best = &task;
    }
    return best;
  }

  /// The most urgent task that has to be copied here, if its data have room beside those that were fetched for other
  /// waiting tasks.
  CostedTask* first_remote() const {
    if (remote_ == 0) return nullptr;
    CostedTask* best = nullptr;
    for (const std::uint32_t number : filled_) {
      CostedTask& task = kinds_[number].tasks->first();
      if (!task.urgency.local && (best == nullptr || goes_before(task, *best))) best = &task;
    }
    return fetched_ == 0 || fetched_ + best->fills <= kMostFetched ? best : nullptr;
  }

  /// Any task; nullptr: none.
  CostedTask* any() const { return filled_.empty() ? nullptr : &kinds_[filled_.back()].tasks->first(); }

  /// Calls `f(task)` with the least urgent task of each kind that `worker` may run.
  template <class F>
  void each_last(WorkerId worker, const EligibilityTable& eligibility, F f) const {
    for (const std::uint32_t number : filled_) {
      CostedTask& task = kinds_[number].tasks->last();
      if (eligibility.contains(task.task->group, worker)) f(task);
    }
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr double kMostFetched = 0.5;  // of the memory: what runs and what is copied back needs room too

  using Level = std::pair<WorkByUpwardRank::Level, int>;  // of the upward rank, and the priority
  struct Kind {
    std::unique_ptr<OrderedTasks> tasks;
    std::size_t slot = 0;  // in `filled_`, while it has tasks
  };
  struct Work {
    double seconds = 0;
    std::size_t tasks = 0;
  };
  /// Tasks that have to be copied are a kind of their own, so that `first_remote` finds them.
  static std::uint32_t number_of(const CostedTask& task) { return 2 * task.kind + task.urgency.local; }
  static Level level(const CostedTask& task) { return {task.level, task.urgency.priority}; }

  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_ =
      std::make_unique<std::pmr::unsynchronized_pool_resource>();  // outlives the tasks' lines
  std::vector<Kind> kinds_;                                        // by number_of
  std::vector<std::uint32_t> filled_;                              // kinds with tasks
  std::map<Level, Work> work_;
  std::size_t size_ = 0;
  std::size_t remote_ = 0;  // tasks that have to be copied here
  double fetched_ = 0;      // TaskCosts::fills of the tasks whose copies were started
};

}  // namespace starpath
