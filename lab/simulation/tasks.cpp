// Codelets whose time is looked up.
#include "lab/simulation/tasks.hpp"

#include <cmath>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

void never(void**, void*) {}

starpu_data_access_mode mode_of(AccessMode mode) {
  if (mode == AccessMode::read) return STARPU_R;
  return mode == AccessMode::write ? STARPU_W : STARPU_RW;
}

}  // namespace

SimulatedTasks::SimulatedTasks(const Workload& workload, const std::vector<std::vector<double>>& estimates,
                               const LabMachine& machine, Options options, std::function<void(std::size_t)> on_end)
    : workload_(workload),
      estimates_(estimates),
      options_(std::move(options)),
      on_end_(std::move(on_end)),
      states_(workload.tasks.size()),
      books_{std::vector(workload.kinds.size(), std::vector<unsigned>(machine.classes())),
             std::vector<double>(machine.classes())} {
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  for (State& state : states_) state.owner = this;
  for (std::size_t i = 0; i < machine.accelerators.size(); ++i)
    class_of_device_.insert(class_of_device_.end(), machine.accelerators[i].count, i + 1);
  check_workers(machine);
  make_codelets();
}

std::size_t SimulatedTasks::class_of(int worker) const {
  if (starpu_worker_get_type(worker) == STARPU_CPU_WORKER) return 0;
  return class_of_device_[static_cast<std::size_t>(starpu_worker_get_devid(worker))];
}

/// Workers that StarPU started must be the machine's: a wrong platform must not pass for another machine.
void SimulatedTasks::check_workers(const LabMachine& machine) const {
  std::vector<unsigned> counted(machine.classes());
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) ++counted[class_of(static_cast<int>(worker))];
  if (counted != machine.workers()) throw Error(ErrorKind::internal, "StarPU's workers are not the machine's");
}

double SimulatedTasks::seconds(std::size_t task, std::size_t device_class) const {
  const WorkTask& work = workload_.tasks[task];
  if (options_.takes_no_time && options_.takes_no_time(work)) return 1e-9;  // 0 is "unknown" to StarPU
  return work.seconds[device_class] / options_.speed;
}

double SimulatedTasks::cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned) {
  auto& state = *static_cast<State*>(task->cl_arg);
  const SimulatedTasks& tasks = *state.owner;
  const std::size_t number = tasks.number_of(state);
  const starpu_perfmodel_device& device = arch->devices[0];
  const std::size_t device_class =
      device.type == STARPU_CPU_WORKER ? 0 : tasks.class_of_device_[static_cast<std::size_t>(device.devid)];
  if (!state.popped) return tasks.estimates_[number][device_class] * 1e6;
  ++state.asked_for_truth;
  return tasks.seconds(number, device_class) * 1e6;
}

void SimulatedTasks::ended(void* argument) {
  auto& state = *static_cast<State*>(argument);
  SimulatedTasks& tasks = *state.owner;
  const std::size_t number = tasks.number_of(state);
  starpu_profiling_task_info& info = *starpu_task_get_current()->profiling_info;
  state.run.worker = starpu_worker_get_id();
  state.run.start = starpu_timing_timespec_to_us(&info.start_time) * 1e-6;
  state.run.end = starpu_timing_timespec_to_us(&info.end_time) * 1e-6;
  const std::size_t device_class = tasks.class_of(state.run.worker);
  ++tasks.books_.ran[tasks.workload_.tasks[number].kind][device_class];
  tasks.books_.busy[device_class] += tasks.seconds(number, device_class);
  // SimGrid asks once. A second question learns nothing where the truth equals the estimate.
  const bool same = tasks.estimates_[number][device_class] == tasks.seconds(number, device_class);
  tasks.books_.leaks += state.asked_for_truth < 1 || (state.asked_for_truth > 1 && !same);
  tasks.on_end_(number);
}

void SimulatedTasks::make_codelets() {
  for (const std::string& name : workload_.codelets) {
    auto made = std::make_unique<Codelet>();
    starpu_codelet_init(&made->codelet);
    made->model.type = STARPU_PER_ARCH;
    made->model.arch_cost_function = cost;
    made->model.symbol = name.c_str();
    made->codelet.name = name.c_str();
    made->codelet.model = &made->model;
    made->codelet.cpu_funcs[0] = never;
    made->codelet.cuda_funcs[0] = never;
    made->codelet.cuda_flags[0] = options_.synchronous ? 0 : STARPU_CUDA_ASYNC;
    made->codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    codelets_.push_back(std::move(made));
  }
}

void SimulatedTasks::submit(std::size_t number, SimulatedData& data) {
  const WorkTask& work = workload_.tasks[number];
  State& state = states_[number];
  starpu_task* task = starpu_task_create();
  task->cl = &codelets_[work.codelet]->codelet;
  task->cl_arg = &state;
  task->priority = work.priority;
  task->nbuffers = static_cast<int>(work.data.size());
  if (work.data.size() > STARPU_NMAXBUFS) throw Error(ErrorKind::internal, "a task with too many data");
  for (std::size_t i = 0; i < work.data.size(); ++i) {
    task->handles[i] = data.handle(work.data[i].data);
    task->modes[i] = mode_of(work.data[i].mode);
  }
  // Tasks that run on some classes only are restricted by kind of device, because StarPU's `where` can say no more.
  std::uint32_t where = std::isfinite(work.seconds[0]) ? STARPU_CPU : 0;
  for (std::size_t c = 1; c < work.seconds.size(); ++c)
    if (std::isfinite(work.seconds[c])) where |= STARPU_CUDA;
  task->where = static_cast<std::int32_t>(where);
  task->prologue_callback_pop_func = popped;
  task->prologue_callback_pop_arg = &state;
  task->callback_func = ended;
  task->callback_arg = &state;
  if (starpu_task_submit(task) != 0) throw Error(ErrorKind::runtime, "StarPU refused a task");
}

}  // namespace starpath::lab
