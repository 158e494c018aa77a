// Workers that run tasks.
#include "lab/nodes/node.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace starpath::lab {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Machine policy_machine(const NodesModel& all_nodes, const LabMachine& machine) {
  std::vector<DeviceClass> classes;
  for (const std::string& name : all_nodes.class_names())
    classes.push_back({name, classes.empty() ? DeviceKind::cpu : DeviceKind::accelerator});
  std::vector<ClassId> class_of;
  const std::vector<unsigned> counts = machine.workers();
  for (ClassId id = 0; id < counts.size(); ++id) class_of.insert(class_of.end(), counts[id], id);
  return Machine(std::move(classes), std::move(class_of));
}

}  // namespace

Node::Node(const NodesRun& run, unsigned number, unsigned group, TaskSource& source)
    : run_(run),
      number_(number),
      group_(group),
      source_(source),
      model_(run.all_nodes.machine_of(group)),
      machine_(policy_machine(run.all_nodes, model_)),
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
  const double left = leave_behind(worker, *found);
  const double there = std::max({now, left, fetch(*found, machine_.memory_of(worker))});
  workers_[worker].held.push_back({*found, now, there});
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
  const double computing = task(held.task).seconds[machine_.class_of(worker)] / run_.all_nodes.groups[group_].speed;
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
  const double now = run_.events.now();
  const ClassId device_class = machine_.class_of(worker);
  const MemoryId memory = machine_.memory_of(worker);
  state.written.clear();
  for (const Access& access : task(done).data) {
    if (access.mode == AccessMode::read) continue;
    state.written.push_back(access.data);
    Holders& holders = holders_of(access.data);
    std::ranges::fill(holders, kNever);
    holders[memory] = now;
  }
  ++run_.result.ran[group_][task(done).kind][device_class];
  run_.result.busy[group_][device_class] += now - begin;
  if (run_.options.on_task) run_.options.on_task({number_, worker, done, device_class, begin, now});
  const double out = run_.options.copies == Copies::around ? empty(done, memory) : now;
  state.copying += state.held.front().copied - state.held.front().taken + out - now;
  state.computing += now - begin;
  if (out > now)
    run_.events.at(out, [this, worker, seconds = now - begin] { release(worker, seconds); });
  else
    release(worker, now - begin);
}

/// The worker is done with its task, copies included.
void Node::release(unsigned worker, double seconds) {
  Worker& state = workers_[worker];
  const unsigned done = state.held.front().task;
  state.held.pop_front();
  state.running = false;
  if (state.held.empty()) idle_.push_back(worker);
  start(worker);
  source_.finished(number_, worker, done, seconds);
  offer();
}

/// Copies the task's results to main memory and leaves nothing of it in `memory`. Returns the time at which that is
/// done.
double Node::empty(unsigned task_number, std::size_t memory) {
  double out = run_.events.now();
  if (memory == 0) return out;
  for (const Access& access : task(task_number).data) {
    Holders& holders = holders_of(access.data);
    if (!std::isfinite(holders[0]))
      holders[0] = copy(memory, false, run_.work.tasks[group_].data[access.data].bytes, run_.events.now());
    out = std::max(out, holders[0]);
    holders[memory] = kNever;
  }
  return out;
}

/// With Copies::kept: data that the worker wrote last and `next_task` does not use go home first. Returns the time at
/// which that is done.
double Node::leave_behind(unsigned worker, unsigned next_task) {
  double out = 0;
  if (is_core(worker) || run_.options.copies != Copies::kept) return out;
  for (const unsigned data : std::exchange(workers_[worker].written, {})) {
    const auto found = holders_.find(data);
    if (found == holders_.end() || std::isfinite(found->second[0])) continue;
    if (std::ranges::count(task(next_task).data, data, &Access::data) > 0) continue;
    found->second[0] =
        copy(machine_.memory_of(worker), false, run_.work.tasks[group_].data[data].bytes, run_.events.now());
    out = std::max(out, found->second[0]);
  }
  return out;
}

double Node::held_bytes(unsigned task_number, unsigned worker) const {
  const MemoryId memory = machine_.memory_of(worker);
  double bytes = 0;
  if (memory == 0) return bytes;
  for (const Access& access : task(task_number).data) {
    if (access.mode == AccessMode::write) continue;
    const auto found = holders_.find(access.data);
    if (found != holders_.end() && std::isfinite(found->second[memory]))
      bytes += run_.work.tasks[group_].data[access.data].bytes;
  }
  return bytes;
}

double Node::transfer_share(unsigned worker) const {
  const Worker& state = workers_[worker];
  return state.copying > 0 ? state.copying / (state.copying + state.computing) : 0;
}

double Node::fetch(unsigned task_number, std::size_t memory) {
  double there = 0;
  for (const Access& access : task(task_number).data) {
    if (access.mode == AccessMode::write) continue;
    const double bytes = run_.work.tasks[group_].data[access.data].bytes, now = run_.events.now();
    Holders& holders = holders_of(access.data);
    if (memory != 0 && !std::isfinite(holders[memory]) && !std::isfinite(holders[0])) {
      const auto source = static_cast<std::size_t>(std::ranges::min_element(holders) - holders.begin());
      holders[0] = copy(source, false, bytes, std::max(now, holders[source]));
    }
    if (!std::isfinite(holders[memory])) {
      const auto source =
          memory == 0 ? static_cast<std::size_t>(std::ranges::min_element(holders) - holders.begin()) : 0;
      holders[memory] = copy(memory == 0 ? source : memory, memory != 0, bytes, std::max(now, holders[source]));
    }
    there = std::max(there, holders[memory]);
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

Node::Holders& Node::holders_of(unsigned data) {
  Holders& holders = holders_[data];
  if (!holders.empty()) return holders;
  holders.assign(to_.size(), kNever);
  holders[0] = 0;
  return holders;
}

void Node::forget(unsigned task_number) {
  for (const Access& access : task(task_number).data) holders_.erase(access.data);
}

bool Node::reads_files(unsigned task_number) const {
  return run_.work.tasks[group_].kinds[task(task_number).kind] == "read";
}

}  // namespace starpath::lab
