// One simulated run: a workload on a machine under the policy of the environment, as StarPU runs it in SimGrid.
// Prints one line of JSON when, and only when, every task has finished. Started by starpath-lab, which sets StarPU's
// environment: SimGrid reads it before main.
#include <starpu.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "lab/estimates.hpp"
#include "lab/simulation/data.hpp"
#include "lab/simulation/program.hpp"
#include "lab/simulation/tasks.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

/// Groups in the window.
struct Window {
  std::vector<unsigned> left_in_group;
  unsigned groups_in_flight = 0;
  unsigned finished = 0;  // tasks
  starpu_pthread_mutex_t mutex;
  starpu_pthread_cond_t changed;

  explicit Window(const Workload& workload) : left_in_group(workload.groups) {
    for (const WorkTask& task : workload.tasks) ++left_in_group[task.group];
    starpu_pthread_mutex_init(&mutex, nullptr);
    starpu_pthread_cond_init(&changed, nullptr);
  }
  void ended(unsigned group) {
    starpu_pthread_mutex_lock(&mutex);
    ++finished;
    if (--left_in_group[group] == 0) {
      --groups_in_flight;
      starpu_pthread_cond_signal(&changed);
    }
    starpu_pthread_mutex_unlock(&mutex);
  }
};

/// Submits group after group, at most the workload's window at a time, and waits for the end.
void run_all(const Workload& workload, SimulatedTasks& tasks, SimulatedData& data, Window& window) {
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    const unsigned group = workload.tasks[i].group;
    if (i == 0 || group != workload.tasks[i - 1].group) {
      starpu_pthread_mutex_lock(&window.mutex);
      while (workload.window > 0 && window.groups_in_flight >= workload.window)
        starpu_pthread_cond_wait(&window.changed, &window.mutex);
      ++window.groups_in_flight;
      starpu_pthread_mutex_unlock(&window.mutex);
    }
    tasks.submit(i, data);
    data.submitted(i);
  }
  starpu_task_wait_for_all();
  data.wait_for_results();
}

double transferred_bytes() {
  double bytes = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
    starpu_profiling_bus_info info;
    if (starpu_bus_get_profiling_info(bus, &info) == 0) bytes += static_cast<double>(info.transferred_bytes);
  }
  return bytes;
}

struct Outcome {
  double makespan, moved_bytes;
  unsigned finished;
};

nlohmann::json describe(const Workload& workload, const LabMachine& machine, const SimulatedTasks& tasks,
                        const Outcome& outcome, bool every_task) {
  nlohmann::json out = {{"policy", starpu_sched_get_sched_policy()->policy_name},
                        {"makespan", outcome.makespan},
                        {"tasks", workload.tasks.size()},
                        {"finished", outcome.finished},
                        {"truth_seen", tasks.books().leaks},
                        {"classes", machine.class_names()},
                        {"workers", machine.workers()},
                        {"kinds", workload.kinds},
                        {"ran", tasks.books().ran},
                        {"busy", tasks.books().busy},
                        {"moved_bytes", outcome.moved_bytes}};
  if (!every_task) return out;
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    const TaskExecution& run = tasks.run(i);
    out["schedule"].push_back({workload.tasks[i].kind, run.worker, run.start, run.end});
  }
  return out;
}

struct Arguments {
  WorkOptions work;
  std::string machine;
  std::vector<unsigned> workers;
  bool every_task = false, synchronous = false;
};

void run(const Arguments& arguments) {
  const LabMachine machine =
      with_workers(read_machine(ModelFile(std::filesystem::path(arguments.machine))), arguments.workers);
  const WorkOptions& work = arguments.work;
  const WorkloadModel model = work.model();
  const Workload workload = make_workload(model, machine, work.seed);
  const auto estimates = make_estimates(parse_estimator(work.estimator), workload, model, machine, work.seed);

  starpu_conf conf = conf_of(machine);
  if (starpu_init(&conf) != 0) throw Error(ErrorKind::runtime, "StarPU did not start");
  Window window(workload);
  SimulatedTasks tasks(workload, estimates, machine, {.synchronous = arguments.synchronous},
                       [&](std::size_t task) { window.ended(workload.tasks[task].group); });
  SimulatedData data(workload, 0, workload.tasks.size());
  transferred_bytes();  // from here on
  const double begin = starpu_timing_now();
  run_all(workload, tasks, data, window);
  const double makespan = (starpu_timing_now() - begin) * 1e-6;
  const Outcome outcome{makespan, transferred_bytes(), window.finished};
  conclude(describe(workload, machine, tasks, outcome, arguments.every_task));
}

}  // namespace
}  // namespace starpath::lab

int main(int argc, char** argv) {
  starpath::lab::Arguments arguments;
  CLI::App app{"One simulated run; use starpath-lab", "starpath-lab-run"};
  app.add_option("--machine", arguments.machine)->required();
  arguments.work.add_to(app);
  app.add_option("--workers", arguments.workers)->delimiter(',');
  app.add_flag("--every-task", arguments.every_task);
  app.add_flag("--synchronous", arguments.synchronous);
  starpath::lab::run_program(app, argc, argv, [&] { starpath::lab::run(arguments); });
}
