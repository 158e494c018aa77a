// The tasks that are planned at one place.
#pragma once
#include <boost/intrusive/set.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/numbers.hpp"
#include "sched_policies/core/eligibility.hpp"
#include "sched_policies/core/fetch_ahead.hpp"

namespace starpath {

/// The waiting tasks of one place, by task type, each type in order of urgency. The urgency of a task does not change
/// while it is in here. Not thread-safe.
class PlaceQueue {
 public:
  void insert(CostedTask& task) {
    const std::uint32_t number = number_of(task);
    if (number >= types_.size()) types_.resize(number + 1);
    Type& type = types_[number];
    if (type.tasks.empty()) {
      type.slot = filled_.size();
      filled_.push_back(number);
    }
    if (type.tasks.empty() || !goes_before(task, *type.tasks.rbegin()))
      type.tasks.push_back(task);  // most are the youngest of the least urgent: without a search
    else
      type.tasks.insert(task);
    work_ += task.work;
    copies_ += task.planned;
    ++size_;
    remote_ += !task.urgency.local;
    if (task.fetched != kNowhere) fetched_ += task.fills;
  }

  void remove(CostedTask& task) {
    const std::uint32_t number = number_of(task);
    Type& type = types_[number];
    type.tasks.erase(type.tasks.iterator_to(task));
    --size_;
    work_ = size_ > 0 ? work_ - task.work : 0;  // no rounding errors pile up
    copies_ = size_ > 0 ? copies_ - task.planned : 0;
    remote_ -= !task.urgency.local;
    if (task.fetched != kNowhere) fetched_ = size_ > 0 ? fetched_ - task.fills : 0;
    if (!type.tasks.empty()) {  // the task that leaves next is in no cache
      fetch_ahead(type.tasks.begin()->task, sizeof(TaskRecord));
      return;
    }
    filled_[type.slot] = filled_.back();
    types_[filled_[type.slot]].slot = type.slot;
    filled_.pop_back();
  }

  /// For how many seconds all tasks keep a worker busy. Tasks that are less urgent than a new one count too: they have
  /// to be done as well, and more urgent ones will come.
  double work() const { return work_; }
  /// The same for tasks whose tail is not shorter than that. O(tasks).
  double work(double shorter) const {
    double sum = 0;
    for (const std::uint32_t number : filled_)
      for (const CostedTask& task : types_[number].tasks) sum += task.tail < shorter ? 0 : task.work;
    return sum;
  }
  /// Seconds of all their copies that were not started.
  double copies() const { return copies_; }

  static bool goes_before(const CostedTask& a, const CostedTask& b) {
    if (a.urgency != b.urgency) return a.urgency > b.urgency;
    return a.position != b.position ? a.position < b.position : a.task->sequence < b.task->sequence;
  }

  /// The most urgent task that `worker` may run; the first of equals; nullptr: none.
  CostedTask* first(WorkerId worker, const EligibilityTable& eligibility) {
    CostedTask* best = nullptr;
    for (const std::uint32_t number : filled_) {
      CostedTask& task = *types_[number].tasks.begin();
      if (eligibility.contains(task.task->group, worker) && (best == nullptr || goes_before(task, *best))) best = &task;
    }
    return best;
  }

  /// Calls `f(task)` with the most urgent tasks, up to `most` of each type.
  template <class F>
  void each_first(std::size_t most, F f) {
    for (const std::uint32_t number : filled_) {
      std::size_t left = most;
      for (CostedTask& task : types_[number].tasks) {
        if (left-- == 0) break;
        f(task);
      }
    }
  }

  /// The most urgent task whose data have to be copied here, if there is room for them beside the data that were
  /// fetched for other waiting tasks.
  CostedTask* first_remote() {
    if (remote_ == 0) return nullptr;
    CostedTask* best = nullptr;
    for (const std::uint32_t number : filled_) {
      CostedTask& task = *types_[number].tasks.begin();
      if (!task.urgency.local && (best == nullptr || goes_before(task, *best))) best = &task;
    }
    return has_room(*best) ? best : nullptr;
  }
  /// Whether there is room for the task's data beside those that were fetched.
  bool has_room(const CostedTask& task) const { return fetched_ == 0 || fetched_ + task.fills <= kNumbers.fetched; }

  /// Any task; nullptr: none.
  CostedTask* any() { return filled_.empty() ? nullptr : &*types_[filled_.back()].tasks.begin(); }

  /// Calls `f(task)` with the least urgent task of each type that `worker` may run.
  template <class F>
  void each_last(WorkerId worker, const EligibilityTable& eligibility, F f) {
    for (const std::uint32_t number : filled_) {
      CostedTask& task = *types_[number].tasks.rbegin();
      if (eligibility.contains(task.task->group, worker)) f(task);
    }
  }

  /// Calls `f(task)` with each task.
  template <class F>
  void each(F f) {
    for (const std::uint32_t number : filled_)
      for (CostedTask& task : types_[number].tasks) f(task);
  }

  std::size_t size() const { return size_; }

 private:
  struct Before {
    bool operator()(const CostedTask& a, const CostedTask& b) const { return goes_before(a, b); }
  };
  struct Type {
    boost::intrusive::multiset<CostedTask, boost::intrusive::compare<Before>,
                               boost::intrusive::constant_time_size<false>,
                               boost::intrusive::member_hook<CostedTask, decltype(CostedTask::hook), &CostedTask::hook>>
        tasks;
    std::size_t slot = 0;  // in `filled_`, while it has tasks
  };
  /// Tasks whose data have to be copied are types of their own, so that `first_remote` finds them.
  static std::uint32_t number_of(const CostedTask& task) { return 2 * task.type + task.urgency.local; }

  std::vector<Type> types_;            // by number_of
  std::vector<std::uint32_t> filled_;  // types with tasks
  double work_ = 0, copies_ = 0;       // seconds of the tasks
  std::size_t size_ = 0;
  std::size_t remote_ = 0;  // tasks that have to be copied here
  double fetched_ = 0;      // TaskCosts::fills of the tasks whose copies were started
};

}  // namespace starpath
