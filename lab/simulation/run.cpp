// One simulated run: a workload on a machine under the policy of the environment, as StarPU runs it in SimGrid.
// Prints one line of JSON when, and only when, every task has finished. Started by starpath-lab, which sets StarPU's
// environment: SimGrid reads it before main.
#include <fmt/format.h>
#include <starpu.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "lab/estimates.hpp"
#include "lab/simulation/data.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

/// What StarPU's callbacks know of a task. Truth and estimate meet here and nowhere else: until StarPU has taken the
/// task out of the policy, the cost function answers with the estimate; from then on with the truth, once, to the
/// simulator that asks how long to run it.
struct TaskState {
  const WorkTask* task = nullptr;
  const std::vector<double>* estimate = nullptr;
  bool popped = false;
  unsigned asked_for_truth = 0;
  int worker = -1;
  double start = 0, end = 0;
};

struct Simulation {
  const Workload* workload = nullptr;
  std::vector<TaskState> states;
  std::vector<std::size_t> class_of_device;  // by StarPU's number of the CUDA device
  std::vector<unsigned> left_in_group;
  unsigned groups_in_flight = 0;
  unsigned finished = 0;
  starpu_pthread_mutex_t mutex;
  starpu_pthread_cond_t changed;
};

Simulation simulation;

double cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
  auto& state = *static_cast<TaskState*>(task->cl_arg);
  const starpu_perfmodel_device& device = arch->devices[0];
  const std::size_t own =
      device.type == STARPU_CPU_WORKER ? 0 : simulation.class_of_device[static_cast<std::size_t>(device.devid)];
  if (state.popped) {
    ++state.asked_for_truth;
    return state.task->seconds[own] * 1e6;
  }
  return (*state.estimate)[own] * 1e6;
}

void popped(void* argument) { static_cast<TaskState*>(argument)->popped = true; }

/// A task's callback runs on the worker that ran it. SimGrid runs one thread at a time.
void finished(void* argument) {
  auto& state = *static_cast<TaskState*>(argument);
  const starpu_task* task = starpu_task_get_current();
  state.worker = starpu_worker_get_id();
  state.start = starpu_timing_timespec_to_us(&task->profiling_info->start_time) * 1e-6;
  state.end = starpu_timing_timespec_to_us(&task->profiling_info->end_time) * 1e-6;
  starpu_pthread_mutex_lock(&simulation.mutex);
  ++simulation.finished;
  if (--simulation.left_in_group[state.task->group] == 0) {
    --simulation.groups_in_flight;
    starpu_pthread_cond_signal(&simulation.changed);
  }
  starpu_pthread_mutex_unlock(&simulation.mutex);
}

void never(void**, void*) {}

struct Codelet {
  starpu_codelet codelet{};
  starpu_perfmodel model{};
};

/// Asynchronous on devices, as CUDA codelets are written: a synchronous one keeps StarPU from starting the next task's
/// copies while it runs, unless the policy prefetches.
std::vector<std::unique_ptr<Codelet>> make_codelets(const Workload& workload, bool synchronous) {
  std::vector<std::unique_ptr<Codelet>> codelets;
  for (const std::string& name : workload.streams) {
    auto own = std::make_unique<Codelet>();
    starpu_codelet_init(&own->codelet);
    own->model.type = STARPU_PER_ARCH;
    own->model.arch_cost_function = cost;
    own->model.symbol = name.c_str();
    own->codelet.name = name.c_str();
    own->codelet.model = &own->model;
    own->codelet.cpu_funcs[0] = never;
    own->codelet.cuda_funcs[0] = never;
    own->codelet.cuda_flags[0] = synchronous ? 0 : STARPU_CUDA_ASYNC;
    own->codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    codelets.push_back(std::move(own));
  }
  return codelets;
}

starpu_data_access_mode mode_of(AccessMode mode) {
  if (mode == AccessMode::read) return STARPU_R;
  return mode == AccessMode::write ? STARPU_W : STARPU_RW;
}

void submit(TaskState& state, starpu_codelet& codelet, SimulatedData& data) {
  starpu_task* task = starpu_task_create();
  task->cl = &codelet;
  task->cl_arg = &state;
  task->priority = state.task->priority;
  task->nbuffers = static_cast<int>(state.task->data.size());
  if (state.task->data.size() > STARPU_NMAXBUFS) throw Error(ErrorKind::internal, "a task with too many data");
  for (std::size_t i = 0; i < state.task->data.size(); ++i) {
    task->handles[i] = data.handle(state.task->data[i].data);
    task->modes[i] = mode_of(state.task->data[i].mode);
  }
  // What runs on some classes only: by kind of device, which is all that StarPU's `where` can say.
  std::uint32_t where = std::isfinite(state.task->seconds[0]) ? STARPU_CPU : 0;
  for (std::size_t c = 1; c < state.task->seconds.size(); ++c)
    if (std::isfinite(state.task->seconds[c])) where |= STARPU_CUDA;
  task->where = static_cast<std::int32_t>(where);
  task->prologue_callback_pop_func = popped;
  task->prologue_callback_pop_arg = &state;
  task->callback_func = finished;
  task->callback_arg = &state;
  if (starpu_task_submit(task) != 0) throw Error(ErrorKind::runtime, "StarPU refused a task");
}

/// Submits group after group, at most `window` at a time, and waits for the end.
void run_all(const Workload& workload, const std::vector<std::unique_ptr<Codelet>>& codelets, SimulatedData& data) {
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    const unsigned group = workload.tasks[i].group;
    if (i == 0 || group != workload.tasks[i - 1].group) {
      starpu_pthread_mutex_lock(&simulation.mutex);
      while (workload.window > 0 && simulation.groups_in_flight >= workload.window)
        starpu_pthread_cond_wait(&simulation.changed, &simulation.mutex);
      ++simulation.groups_in_flight;
      starpu_pthread_mutex_unlock(&simulation.mutex);
    }
    submit(simulation.states[i], codelets[workload.tasks[i].codelet]->codelet, data);
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

std::size_t class_of_worker(int worker) {
  if (starpu_worker_get_type(worker) == STARPU_CPU_WORKER) return 0;
  return simulation.class_of_device[static_cast<std::size_t>(starpu_worker_get_devid(worker))];
}

/// Workers that StarPU started must be the machine's: a wrong platform must not pass for another machine.
void check_workers(const LabMachine& machine) {
  std::vector<unsigned> counted(machine.classes());
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    ++counted[class_of_worker(static_cast<int>(worker))];
  if (counted != machine.workers()) throw Error(ErrorKind::internal, "StarPU's workers are not the machine's");
}

nlohmann::json describe(const Workload& workload, const LabMachine& machine, double makespan, double bytes,
                        bool every_task) {
  std::vector<std::vector<unsigned>> ran(workload.kinds.size(), std::vector<unsigned>(machine.classes()));
  std::vector<double> busy(machine.classes());
  unsigned leaks = 0;
  nlohmann::json tasks = nlohmann::json::array();
  for (const TaskState& state : simulation.states) {
    const std::size_t own = class_of_worker(state.worker);
    ++ran[state.task->kind][own];
    busy[own] += state.task->seconds[own];
    leaks += state.asked_for_truth != 1;
    if (every_task) tasks.push_back({state.task->kind, state.worker, state.start, state.end});
  }
  nlohmann::json out = {{"policy", starpu_sched_get_sched_policy()->policy_name},
                        {"makespan", makespan},
                        {"tasks", workload.tasks.size()},
                        {"finished", simulation.finished},
                        {"truth_seen", leaks},
                        {"classes", machine.class_names()},
                        {"workers", machine.workers()},
                        {"kinds", workload.kinds},
                        {"ran", ran},
                        {"busy", busy},
                        {"moved_bytes", bytes}};
  if (every_task) out["schedule"] = tasks;
  return out;
}

struct Arguments {
  std::string machine, workload, estimator = "exact";
  std::vector<std::string> set;
  std::vector<unsigned> workers;
  std::uint64_t seed = 1;
  bool every_task = false, synchronous = false;
};

int run(const Arguments& arguments) {
  LabMachine machine = read_machine(ModelFile(std::filesystem::path(arguments.machine)));
  if (!arguments.workers.empty())
    machine = with_workers(machine, arguments.workers[0],
                           std::vector<unsigned>(arguments.workers.begin() + 1, arguments.workers.end()));
  WorkloadModel model = read_workload(ModelFile(std::filesystem::path(arguments.workload)));
  for (const std::string& entry : arguments.set)
    set_parameter(model, entry.substr(0, entry.find('=')), std::stod(entry.substr(entry.find('=') + 1)));
  const Workload workload = make_workload(model, machine, arguments.seed);
  const auto estimates = make_estimates(parse_estimator(arguments.estimator), workload, model, machine, arguments.seed);

  simulation.workload = &workload;
  simulation.left_in_group.resize(workload.groups);
  simulation.states.resize(workload.tasks.size());
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    simulation.states[i].task = &workload.tasks[i];
    simulation.states[i].estimate = &estimates[i];
    ++simulation.left_in_group[workload.tasks[i].group];
  }
  for (std::size_t i = 0; i < machine.accelerators.size(); ++i)
    simulation.class_of_device.insert(simulation.class_of_device.end(), machine.accelerators[i].count, i + 1);
  starpu_pthread_mutex_init(&simulation.mutex, nullptr);
  starpu_pthread_cond_init(&simulation.changed, nullptr);

  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.ncpus = static_cast<int>(machine.cpu_workers());
  conf.ncuda = static_cast<int>(machine.devices());
  if (starpu_init(&conf) != 0) throw Error(ErrorKind::runtime, "StarPU did not start");
  check_workers(machine);
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  const auto codelets = make_codelets(workload, arguments.synchronous);
  SimulatedData data(workload);
  transferred_bytes();  // from here on
  const double begin = starpu_timing_now();
  run_all(workload, codelets, data);
  const double makespan = (starpu_timing_now() - begin) * 1e-6;
  fmt::print("{}\n", describe(workload, machine, makespan, transferred_bytes(), arguments.every_task).dump());
  std::fflush(stdout);
  // Nothing of value is left: what a real program would copy back and free is not part of the makespan.
  std::_Exit(0);
}

}  // namespace
}  // namespace starpath::lab

int main(int argc, char** argv) {
  starpath::lab::Arguments arguments;
  CLI::App app{"One simulated run; use starpath-lab"};
  app.add_option("--machine", arguments.machine)->required();
  app.add_option("--workload", arguments.workload)->required();
  app.add_option("--estimator", arguments.estimator);
  app.add_option("--set", arguments.set);
  app.add_option("--workers", arguments.workers)->delimiter(',');
  app.add_option("--seed", arguments.seed);
  app.add_flag("--every-task", arguments.every_task);
  app.add_flag("--synchronous", arguments.synchronous);
  try {
    app.parse(argc, argv);
    return starpath::lab::run(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const starpath::Error& error) {
    fmt::print(stderr, "starpath-lab-run: {}\n", error.what());
    return static_cast<int>(error.kind());
  }
}
