// Workers, classes, tasks and transfers of a run, through StarPU's public functions: the same for every policy.
#include "runs/run_record.hpp"

#include <starpu.h>
#include <starpu_scheduler.h>

#include <algorithm>
#include <map>

#include "sched_policies/starpu/machine_in_use.hpp"

namespace starpath {
namespace {

std::vector<WorkerClass> classes_of_workers() {
  const Machine machine = machine_in_use();
  std::vector<WorkerClass> classes;
  for (const DeviceClass& device_class : machine.classes()) classes.push_back({device_class.name, {}});
  for (WorkerId worker = 0; worker < machine.workers(); ++worker)
    classes[machine.class_of(worker)].workers.push_back(static_cast<int>(worker));
  return classes;
}

double moved_bytes() {
  double bytes = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info;
    if (starpu_bus_get_profiling_info(bus, &info) == 0) bytes += static_cast<double>(info.transferred_bytes);
  }
  return bytes;
}

}  // namespace

RunRecord record_of(const TaskLog& log) {
  RunRecord record;
  record.policy = starpu_sched_get_sched_policy()->policy_name;
  record.makespan = (log.ended - log.begun) * 1e-6;
  record.moved_bytes = moved_bytes();
  record.classes = classes_of_workers();
  std::vector<const TaskLog::Entry*> tasks;
  for (const TaskLog::Entry& task : log.tasks) tasks.push_back(&task);
  std::ranges::stable_sort(tasks, {}, [](const TaskLog::Entry* task) { return task->started; });
  std::map<std::string, std::size_t> numbers;
  for (const TaskLog::Entry* task : tasks) {
    const auto [found, is_new] = numbers.emplace(task->stage, record.stages.size());
    if (is_new) record.stages.push_back(task->stage);
    record.tasks.push_back(
        {found->second, task->worker, (task->started - log.begun) * 1e-6, (task->finished - log.begun) * 1e-6});
  }
  return record;
}

}  // namespace starpath
