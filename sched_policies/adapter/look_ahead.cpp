// STARPATH_LOCALITY and STARPATH_PREFETCH: tasks that accelerators reserve ahead, and tasks that they prefer.
#include "sched_policies/adapter/look_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace starpath {
namespace {

double bytes_of(starpu_task& task) {
  double bytes = 0;
  const auto buffers = static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task));
  for (unsigned i = 0; i < buffers; ++i) {
    bytes += static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(&task, i)));
  }
  return bytes;
}

/// Whether the data that the task reads are valid where the worker will read them.
bool has_come(starpu_task& task, int memory) {
  const auto buffers = static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task));
  for (unsigned i = 0; i < buffers; ++i) {
    if ((STARPU_TASK_GET_MODE(&task, i) & STARPU_R) == 0) continue;
    if (task.cl->specific_nodes != 0 && STARPU_CODELET_GET_NODE(task.cl, i) != STARPU_SPECIFIC_NODE_LOCAL) continue;
    int allocated = 0, valid = 0, requested = 0;
    starpu_data_query_status(STARPU_TASK_GET_HANDLE(&task, i), memory, &allocated, &valid, &requested);
    if (valid == 0) return false;
  }
  return true;
}

int memory_of(WorkerId worker) { return static_cast<int>(starpu_worker_get_memory_node(worker)); }

}  // namespace

bool LookAhead::wanted(const Machine& machine, const PolicyInfo& info, const Options& options) {
  return std::ranges::find(machine.classes(), DeviceKind::accelerator, &DeviceClass::kind) != machine.classes().end() &&
         (options.locality || options.prefetch.on() || info.requests_ahead);
}

LookAhead::LookAhead(const Machine& machine, const PolicyInfo& info, const Options& options)
    : machine_(machine),
      options_(options),
      dqaa_(info.requests_ahead && !options.prefetch.on()),
      prefetches_((options.prefetch.on() || dqaa_) && starpu_get_prefetch_flag() != 0),
      measures_((options.locality && !options.transfer_impact) ||
                (prefetches_ && (options.prefetch.adaptive || dqaa_))),
      workers_(machine.workers()) {
  if (options.locality) reuse_.emplace(machine);
}

std::size_t LookAhead::window_of(WorkerId worker) const {
  if (dqaa_) return workers_[worker].requests.target();
  return options_.prefetch.adaptive ? workers_[worker].window.size() : options_.prefetch.tasks;
}

bool LookAhead::has_room(WorkerId worker, const std::vector<ReservableTask*>& fresh) {
  if (!prefetches_ || machine_.kind_of(worker) != DeviceKind::accelerator) return false;
  const Worker& state = workers_[worker];
  const std::size_t held = state.line.size() + fresh.size();
  if (held >= window_of(worker)) return false;
  const auto memory = static_cast<double>(starpu_memory_get_total(starpu_worker_get_memory_node(worker)));
  if (held == 0 || memory <= 0) return true;  // below 0: StarPU knows of no limit
  double bytes = 0;
  for (const ReservableTask* record : state.line) bytes += bytes_of(*record->task());
  for (const ReservableTask* record : fresh) bytes += bytes_of(*record->task());
  return bytes < memory / 2;
}

void LookAhead::requested(WorkerId worker, ReservableTask& record) {
  if (!dqaa_) return;
  Worker& state = workers_[worker];
  if (has_come(*record.task(), memory_of(worker))) return state.requests.answered(0);
  state.unanswered.sent(&record, starpu_timing_now());
}

void LookAhead::look_for_answers(WorkerId worker) {
  if (!dqaa_) return;
  Worker& state = workers_[worker];
  state.unanswered.look(
      starpu_timing_now(), [&](ReservableTask* record) { return has_come(*record->task(), memory_of(worker)); },
      [&](double sent, double at) { answered(state, sent, at); });
}

void LookAhead::answered(Worker& state, double sent, double at) {
  state.requests.answered(state.answers.took(sent, at) * 1e-6);
}

double LookAhead::transfer_impact(WorkerId worker) const {
  if (options_.transfer_impact) return *options_.transfer_impact;
  const Worker& state = workers_[worker];
  return state.moved > 0 ? state.moved / (state.moved + state.ran) : 0;
}

void LookAhead::handed_out(WorkerId worker, ReservableTask& record) {
  record.generation = 0;
  starpu_task& task = *record.task();
  Worker& state = workers_[worker];
  if (dqaa_) {
    for (Worker& requester : workers_) {
      const auto sent = requester.unanswered.forget(&record);
      if (sent && &requester == &state) state.awaited.push_back({&task, *sent});
    }
  }
  if (!reuse_) return;
  if (!options_.transfer_impact && machine_.kind_of(worker) == DeviceKind::accelerator) {
    const double microseconds = starpu_task_expected_data_transfer_time_for(&task, worker);
    if (std::isfinite(microseconds) && microseconds > 0) state.moved += microseconds * 1e-6;
  }
  reuse_->handed_out(worker, task);
}

void LookAhead::finished(WorkerId worker, const starpu_task* task, double now, double seconds) {
  if (machine_.kind_of(worker) != DeviceKind::accelerator) return;
  Worker& state = workers_[worker];
  state.window.finished(now);
  state.ran += seconds;
  // A worker starts tasks in order, each when its data have come. Those before this one ended without a report.
  const auto awaited = std::ranges::find(state.awaited, task, &Awaited::task);
  if (awaited != state.awaited.end()) {
    answered(state, awaited->sent, now - seconds * 1e6);
    state.awaited.erase(state.awaited.begin(), std::next(awaited));
  }
  state.requests.processed(seconds);
}

}  // namespace starpath
