// HEFT as the papers have it: each task joins, once ready, the queue of the worker that is expected to finish it first.
#pragma once
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "lab/cluster/scheduler.hpp"

namespace starpath::lab {

/// One queue a worker, first in, first out. A worker is expected to be free when all that it was given has taken its
/// estimated time; an unknown time counts as none. Copies are not looked at. Source: edc-2014 section V.
class Heft : public NodeScheduler {
 public:
  Heft(const Machine& machine, const EligibilityTable& eligibility)
      : machine_(machine), eligibility_(eligibility), queues_(machine.workers()), free_(machine.workers()) {}

  void push(TaskRecord& task, const std::vector<double>& seconds, double now) override {
    WorkerId chosen = 0;
    double earliest = std::numeric_limits<double>::infinity();
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
      if (!eligibility_.contains(task.group, worker)) continue;
      const double estimate = seconds[machine_.class_of(worker)];
      const double end = std::max(now, free_[worker]) + (std::isnan(estimate) ? 0 : estimate);
      if (end >= earliest) continue;
      earliest = end;
      chosen = worker;
    }
    free_[chosen] = earliest;
    queues_[chosen].push_back(&task);
  }

  TaskRecord* pop(WorkerId worker) override {
    if (queues_[worker].empty()) return nullptr;
    TaskRecord* const task = queues_[worker].front();
    queues_[worker].pop_front();
    return task;
  }

 private:
  const Machine& machine_;
  const EligibilityTable& eligibility_;
  std::vector<std::deque<TaskRecord*>> queues_;
  std::vector<double> free_;  // when a worker will be done with all it was given
};

}  // namespace starpath::lab
