// Round-robin over codelets, each codelet with a queue of its own.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "sched_policies/core/policy.hpp"

namespace starpath {

/// One queue for each codelet, which is itself a policy, and a list of the codelets that have tasks. A worker takes
/// from the first codelet in the list that has a task it may run. That codelet moves to the end of the list. A codelet
/// that was passed over keeps its position, so none starves. A codelet that was empty is added at the end. Linear in
/// the codelets that have tasks.
template <Policy Queue>
class CodeletRoundRobin {
 public:
  explicit CodeletRoundRobin(PolicyEnvironment environment) : environment_(environment) {}

  void push(TaskRecord& task) {
    if (task.codelet >= queues_.size()) queues_.resize(task.codelet + 1);
    auto& queue = queues_[task.codelet];
    if (queue == nullptr) queue = std::make_unique<Queue>(environment_);
    if (queue->size() == 0) list_.push_back(task.codelet);
    queue->push(task);
    ++size_;
  }

  TaskRecord* pop(WorkerId worker) {
    for (auto place = list_.begin(); place != list_.end(); ++place) {
      Queue& queue = *queues_[*place];
      TaskRecord* const task = queue.pop(worker);
      if (task == nullptr) continue;
      std::rotate(place, place + 1, list_.end());
      if (queue.size() == 0) list_.pop_back();
      --size_;
      return task;
    }
    return nullptr;
  }

  std::size_t size() const { return size_; }

 private:
  PolicyEnvironment environment_;
  std::vector<std::unique_ptr<Queue>> queues_;  // by codelet
  std::vector<CodeletId> list_;                 // of the codelets that have tasks; the next turn is at the front
  std::size_t size_ = 0;
};

}  // namespace starpath
