// List scheduling with copies that overlap nothing.
#include "lab/list_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

constexpr std::size_t kHome = 0;  // main memory; accelerator i has memory 1 + i

struct Worker {
  std::size_t device_class = 0, memory = kHome;
  double free = 0;
};

class Schedule {
 public:
  Schedule(const Workload& workload, const LabMachine& machine) : workload_(workload), machine_(machine) {
    for (unsigned cpu = 0; cpu < machine.cpu_workers(); ++cpu) workers_.push_back({});
    for (std::size_t i = 0; i < machine.accelerators.size(); ++i)
      for (unsigned device = 0; device < machine.accelerators[i].count; ++device) {
        devices_.push_back(&machine.accelerators[i]);
        workers_.push_back({1 + i, devices_.size(), 0});
      }
    std::vector<bool> home(1 + devices_.size());
    home[kHome] = true;
    valid_.assign(workload.data.size(), home);
  }

  double makespan() {
    const auto after = dependencies(workload_);
    std::vector<double> ended(workload_.tasks.size());
    double last = 0;
    for (const std::size_t task : order(after)) {
      double ready = 0;
      for (const unsigned before : after[task]) ready = std::max(ready, ended[before]);
      ended[task] = place(workload_.tasks[task], ready);
      last = std::max(last, ended[task]);
    }
    std::vector<double> home(1 + devices_.size());  // each device's link brings its results one after the other
    for (std::size_t data = 0; data < valid_.size(); ++data) {
      if (valid_[data][kHome]) continue;
      home[source(data)] += copy_seconds(data, kHome);
    }
    return last + *std::ranges::max_element(home);
  }

 private:
  /// Longest chain first: successors come after, since every task takes time.
  std::vector<std::size_t> order(const std::vector<std::vector<unsigned>>& after) const {
    std::vector<double> upward_rank(after.size());
    for (std::size_t task = after.size(); task-- > 0;) {
      upward_rank[task] += *std::ranges::min_element(workload_.tasks[task].seconds);
      for (const unsigned before : after[task]) upward_rank[before] = std::max(upward_rank[before], upward_rank[task]);
    }
    std::vector<std::size_t> order(after.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return upward_rank[a] > upward_rank[b]; });
    return order;
  }

  std::size_t source(std::size_t data) const {
    return static_cast<std::size_t>(std::ranges::find(valid_[data], true) - valid_[data].begin());
  }

  double copy_seconds(std::size_t data, std::size_t to) const {
    if (valid_[data][to]) return 0;
    const std::size_t from = source(data);
    double bandwidth = machine_.host_bandwidth, latency = 0;
    if (from != kHome) {
      bandwidth = std::min(bandwidth, devices_[from - 1]->from_device);
      latency += devices_[from - 1]->latency;
    }
    if (to != kHome) {
      bandwidth = std::min(bandwidth, devices_[to - 1]->to_device);
      latency += devices_[to - 1]->latency;
    }
    return latency + workload_.data[data].bytes / bandwidth;
  }

  double end_on(const WorkTask& task, const Worker& worker, double ready) const {
    double end = std::max(worker.free, ready) + task.seconds[worker.device_class];
    for (const Access& access : task.data)
      if (access.mode != AccessMode::write) end += copy_seconds(access.data, worker.memory);
    return end;
  }

  /// Puts the task where it ends first; returns when that is.
  double place(const WorkTask& task, double ready) {
    Worker* best = nullptr;
    double end = std::numeric_limits<double>::infinity();
    for (Worker& worker : workers_) {
      const double ended = end_on(task, worker, ready);
      if (ended >= end) continue;
      end = ended;
      best = &worker;
    }
    if (best == nullptr) throw Error(ErrorKind::usage, "list schedule: a task can run on no worker of the machine");
    best->free = end;
    for (const Access& access : task.data) {
      std::vector<bool>& valid = valid_[access.data];
      if (access.mode != AccessMode::read) valid.assign(valid.size(), false);
      valid[best->memory] = true;
    }
    return end;
  }

  const Workload& workload_;
  const LabMachine& machine_;
  std::vector<const Accelerator*> devices_;  // by memory less 1
  std::vector<Worker> workers_;
  std::vector<std::vector<bool>> valid_;  // by data: the memories that hold it
};

}  // namespace

double list_schedule(const Workload& workload, const LabMachine& machine) {
  return Schedule(workload, machine).makespan();
}

}  // namespace starpath::lab
