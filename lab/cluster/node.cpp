// Workers that run tasks.
#include "lab/cluster/node.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace starpath::lab {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Machine policy_machine(const ClusterModel& cluster, const LabMachine& machine) {
  std::vector<DeviceClass> classes;
  for (const std::string& name : cluster.class_names())
    classes.push_back({name, classes.empty() ? DeviceKind::cpu : DeviceKind::accelerator});
  std::vector<ClassId> class_of;
  const std::vector<unsigned> counts = machine.workers();
  for (ClassId id = 0; id < counts.size(); ++id) class_of.insert(class_of.end(), counts[id], id);
  return Machine(std::move(classes), std::move(class_of));
}

}  // namespace

Node::Node(const ClusterRun& run, unsigned number, unsigned group, TaskSource& source)
    : run_(run),
      number_(number),
      group_(group),
      source_(source),
      model_(run.cluster.machine_of(group)),
      machine_(policy_machine(run.cluster, model_)),
      workers_(machine_.workers()),
      accelerator_of_memory_{0},
      to_(1),
      from_(1),
      host_{model_.host_bandwidth} {
  for (unsigned worker = 0; worker < workers(); ++worker) {
    idle_.push_back(worker);
    if (machine_.kind_of(worker) == DeviceKind::cpu) continue;
    accelerator_of_memory_.push_back(machine_.class_of(worker) - 1);
    const Accelerator& device = model_.accelerators[accelerator_of_memory_.back()];
    to_.push_back({device.to_device});
    from_.push_back({device.from_device});
  }
}

bool Node::can_run(unsigned task_number, unsigned worker) const {
  return std::isfinite(task(task_number).seconds[machine_.class_of(worker)]);
}

void Node::offer() {
  std::erase_if(idle_, [this](unsigned worker) { return look(worker); });
  for (unsigned worker = 0; worker < workers(); ++worker)
    if (!workers_[worker].held.empty() && workers_[worker].held.size() < room(worker)) look(worker);
}

bool Node::look(unsigned worker) {
  const auto found = source_.next(number_, worker);
  if (!found) return false;
  const double now = run_.events.now();
  workers_[worker].held.push_back({*found, std::max(now, fetch(*found, machine_.memory_of(worker)))});
  start(worker);
  return true;
}

void Node::start(unsigned worker) {
  Worker& state = workers_[worker];
  if (state.running || state.held.empty()) return;
  state.running = true;
  const Held& held = state.held.front();
  const double begin = std::max(run_.events.now(), held.copied);
  const bool reading = reads_files(held.task);
  const double computing = task(held.task).seconds[machine_.class_of(worker)] / run_.cluster.groups[group_].speed;
  const double seconds = reading && !run_.options.reading ? 0 : computing;
  if (!reading || !run_.options.reading) {
    run_.events.at(begin + seconds, [this, worker, begin] { finish(worker, begin); });
    return;
  }
  double bytes = 0;
  for (const Access& access : task(held.task).data)
    if (access.mode != AccessMode::read) bytes += run_.work.tasks[group_].data[access.data].bytes;
  run_.network.read(number_, bytes, [this, worker, begin, seconds] {
    run_.events.at(run_.events.now() + seconds, [this, worker, begin] { finish(worker, begin); });
  });
}

void Node::finish(unsigned worker, double begin) {
  Worker& state = workers_[worker];
  const unsigned done = state.held.front().task;
  state.held.pop_front();
  state.running = false;
  if (state.held.empty()) idle_.push_back(worker);
  const double now = run_.events.now();
  const ClassId device_class = machine_.class_of(worker);
  const MemoryId memory = machine_.memory_of(worker);
  for (const Access& access : task(done).data) {
    if (access.mode == AccessMode::read) continue;
    Copies& copies = copies_of(access.data);
    std::ranges::fill(copies, kNever);
    copies[memory] = now;
  }
  ++run_.result.ran[group_][task(done).kind][device_class];
  run_.result.busy[group_][device_class] += now - begin;
  if (run_.options.on_task) run_.options.on_task({number_, worker, done, device_class, begin, now});
  start(worker);
  source_.finished(number_, worker, done, now - begin);
  offer();
}

double Node::fetch(unsigned task_number, std::size_t memory) {
  double there = 0;
  for (const Access& access : task(task_number).data) {
    if (access.mode == AccessMode::write) continue;
    const double bytes = run_.work.tasks[group_].data[access.data].bytes, now = run_.events.now();
    Copies& copies = copies_of(access.data);
    if (memory != 0 && !std::isfinite(copies[memory]) && !std::isfinite(copies[0])) {
      const auto source = static_cast<std::size_t>(std::ranges::min_element(copies) - copies.begin());
      copies[0] = copy(source, false, bytes, std::max(now, copies[source]));
    }
    if (!std::isfinite(copies[memory])) {
      const auto source = memory == 0 ? static_cast<std::size_t>(std::ranges::min_element(copies) - copies.begin()) : 0;
      copies[memory] = copy(memory == 0 ? source : memory, memory != 0, bytes, std::max(now, copies[source]));
    }
    there = std::max(there, copies[memory]);
  }
  return there;
}

double Node::copy(std::size_t device, bool to_device, double bytes, double time) {
  const double begin = (to_device ? to_ : from_)[device].take(time, bytes);
  const double host = host_.take(begin, bytes) + bytes / host_.bytes_per_second;
  Link& link = (to_device ? to_ : from_)[device];
  link.free = std::max(link.free, host);
  return link.free + model_.accelerators[accelerator_of_memory_[device]].latency;
}

Node::Copies& Node::copies_of(unsigned data) {
  Copies& copies = copies_[data];
  if (!copies.empty()) return copies;
  copies.assign(to_.size(), kNever);
  copies[0] = 0;
  return copies;
}

void Node::forget(unsigned task_number) {
  for (const Access& access : task(task_number).data) copies_.erase(access.data);
}

bool Node::reads_files(unsigned task_number) const {
  return run_.work.tasks[group_].kinds[task(task_number).kind] == "read";
}

}  // namespace starpath::lab
