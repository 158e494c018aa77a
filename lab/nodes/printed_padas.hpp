// PADAS as edc-2014 prints it: one list, into which tasks walk from its ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>
#include <optional>

#include "sched_policies/core/policy.hpp"

namespace starpath::lab {

/// For the experiments of edc-2014. The policy `padas` keeps the halves of the list apart, as the paper intends: "tasks
/// more appropriate for a MIC [...] in one end of the queue". The insertion that the paper prints does not. A task with
/// the higher speedup on the MIC walks from the head to the first task with a smaller speedup on the MIC, and a task
/// with the higher speedup on the GPU walks from the tail in the same way. So a task that gains little on either walks
/// past tasks of the other half that gain more on both, to the end that is not its own.
///
/// The MIC is the last accelerator class with workers, the GPU the first. With one class all tasks walk from the tail.
/// A MIC takes the first task that it may run, a GPU the last. A core takes at the limit: the first after as many tasks
/// as walked from the head, else the nearest one before. Tasks for cores alone go before these, the older first.
/// A speedup that is not known counts as 0.
/// push and pop are linear in the queued tasks, unlike those of other policies.
/// Source: edc-2014 section IV-B. Ours: ties (a task walks past its equals), tasks for cores alone.
class PrintedPadas {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "padas-printed", .description = "padas with the insertion that edc-2014 prints", .uses_estimates = true};

  explicit PrintedPadas(PolicyEnvironment environment) : environment_(environment) {
    for (WorkerId worker = 0; worker < environment.machine.workers(); ++worker) {
      if (environment.machine.kind_of(worker) == DeviceKind::cpu) continue;
      const ClassId id = environment.machine.class_of(worker);
      gpu_ = std::min(gpu_.value_or(id), id);
      mic_ = std::max(mic_.value_or(id), id);
    }
  }

  void push(TaskRecord& task) {
    if (environment_.eligibility.kinds(task.group) == GroupKinds::cpu_only) {
      cores_only_.push_back(&task);
      return;
    }
    const Entry entry{&task, speedup(task, mic_), speedup(task, gpu_)};
    if (mic_ != gpu_ && entry.on_mic > entry.on_gpu) {
      const auto smaller = [&](const Entry& other) { return other.on_mic < entry.on_mic; };
      queue_.insert(std::ranges::find_if(queue_, smaller), entry)->from_head = true;
      ++from_head_;
    } else {
      const auto smaller = [&](const Entry& other) { return other.on_gpu < entry.on_gpu; };
      queue_.insert(std::find_if(queue_.rbegin(), queue_.rend(), smaller).base(), entry);
    }
  }

  TaskRecord* pop(WorkerId worker) {
    const auto runs = [&](const Entry& entry) { return environment_.eligibility.contains(entry.task->group, worker); };
    if (environment_.machine.kind_of(worker) == DeviceKind::cpu) {
      if (!cores_only_.empty()) {
        TaskRecord* const task = cores_only_.front();
        cores_only_.pop_front();
        return task;
      }
      const auto limit = std::next(queue_.begin(), static_cast<std::ptrdiff_t>(from_head_));
      const auto after = std::find_if(limit, queue_.end(), runs);
      return after != queue_.end() ? take(after) : take_last(limit, runs);
    }
    if (mic_ != gpu_ && environment_.machine.class_of(worker) == mic_) {
      const auto first = std::ranges::find_if(queue_, runs);
      return first != queue_.end() ? take(first) : nullptr;
    }
    return take_last(queue_.end(), runs);
  }

  std::size_t size() const { return queue_.size() + cores_only_.size(); }

 private:
  struct Entry {
    TaskRecord* task;
    double on_mic, on_gpu;
    bool from_head = false;
  };
  using Queue = std::list<Entry>;

  static double speedup(const TaskRecord& task, std::optional<ClassId> id) {
    return id ? task.speedups.of(*id).value_or(0) : 0;
  }

  TaskRecord* take(Queue::iterator place) {
    TaskRecord* const task = place->task;
    if (place->from_head) --from_head_;
    queue_.erase(place);
    return task;
  }

  template <class Runs>
  TaskRecord* take_last(Queue::iterator end, Runs runs) {
    const auto found = std::find_if(std::reverse_iterator(end), queue_.rend(), runs);
    return found != queue_.rend() ? take(std::prev(found.base())) : nullptr;
  }

  PolicyEnvironment environment_;
  std::optional<ClassId> gpu_, mic_;  // the first and the last accelerator class with workers
  Queue queue_;
  std::list<TaskRecord*> cores_only_;
  std::size_t from_head_ = 0;  // tasks in the queue that walked from its head
};

static_assert(Policy<PrintedPadas>);

}  // namespace starpath::lab
