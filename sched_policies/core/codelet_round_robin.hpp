// Round-robin over codelets, each codelet with a queue of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "sched_policies/core/policy.hpp"

namespace starpath {

/// One queue a codelet, which is itself a policy. The codelets that have tasks stand in line; a worker takes from the
/// first of them that has a task it may run, and that codelet goes to the end of the line. A codelet that is passed
/// over keeps its place, so the next worker that can run its tasks starts with it: no codelet starves. A codelet that
/// was empty joins at the end. Linear in the codelets that have tasks.
template <Policy Queue>
class CodeletRoundRobin {
 public:
  explicit CodeletRoundRobin(PolicyEnvironment environment) : environment_(environment) {}

  void push(TaskRecord& task) {
    if (task.codelet >= queues_.size()) queues_.resize(task.codelet + 1);
    auto& queue = queues_[task.codelet];
    if (queue == nullptr) queue = std::make_unique<Queue>(environment_);
    if (queue->size() == 0) line_.push_back(task.codelet);
    queue->push(task);
    ++size_;
  }

  TaskRecord* pop(WorkerId worker) {
    for (auto place = line_.begin(); place != line_.end(); ++place) {
      Queue& queue = *queues_[*place];
      TaskRecord* const task = queue.pop(worker);
      if (task == nullptr) continue;
      std::rotate(place, place + 1, line_.end());
      if (queue.size() == 0) line_.pop_back();
      --size_;
      return task;
    }
    return nullptr;
  }

  std::size_t size() const { return size_; }

 private:
  PolicyEnvironment environment_;
  std::vector<std::unique_ptr<Queue>> queues_;  // by codelet
  std::vector<CodeletId> line_;                 // the codelets that have tasks, whose turn it is first
  std::size_t size_ = 0;
};

}  // namespace starpath
