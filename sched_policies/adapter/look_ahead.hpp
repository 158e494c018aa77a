// STARPATH_LOCALITY and STARPATH_PREFETCH: tasks that accelerators reserve ahead, and tasks that they prefer.
#pragma once
#include <starpu.h>

#include <deque>
#include <optional>
#include <vector>

#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/adapter/data_reuse.hpp"
#include "sched_policies/adapter/reservable_task.hpp"
#include "sched_policies/core/adaptive_window.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/dqaa.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/request_times.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// A line of reserved tasks for each worker. A reserved task still counts as queued: a worker that finds nothing
/// else may take it.
class LookAhead {
 public:
  /// Whether an option or the policy asks for any of it, and there are accelerators to do it.
  static bool wanted(const Machine& machine, const PolicyInfo& info, const Options& options);

  LookAhead(const Machine& machine, const PolicyInfo& info, const Options& options);

  /// A task arrived.
  void queued(ReservableTask& record) STARPATH_REQUIRES(context_lock) {
    if (++generation_ == 0) ++generation_;
    record.generation = generation_;
    record.fetched = false;
    if (reuse_) reuse_->queued(record);
  }

  /// Whether the context should report what accelerators' tasks took in `finished`.
  bool measures() const { return measures_; }
  /// Whether accelerators reserve tasks, with their copies started.
  bool prefetches() const { return prefetches_; }

  std::deque<ReservableTask*>& line(WorkerId worker) STARPATH_REQUIRES(context_lock) { return workers_[worker].line; }
  std::size_t workers() const { return workers_.size(); }

  /// Whether `worker` may reserve one more, `fresh` being on their way to its line. Half of the device's memory may be
  /// filled ahead; one task always may.
  bool has_room(WorkerId worker, const std::vector<ReservableTask*>& fresh) STARPATH_REQUIRES(context_lock);

  /// `worker` is about to reserve the task of `record`, whose transfers then start.
  void requested(WorkerId worker, ReservableTask& record) STARPATH_REQUIRES(context_lock);
  /// `worker` is about to take a task: finds out which of the data that it requested have come.
  void look_for_answers(WorkerId worker) STARPATH_REQUIRES(context_lock);

  /// A candidate of `worker` that goes before `choice`, if any; `usable` says whether a task may be taken at all.
  template <class Usable>
  ReservableTask* better_than(ReservableTask& choice, WorkerId worker, Usable usable) STARPATH_REQUIRES(context_lock) {
    if (!reuse_ || machine_.kind_of(worker) != DeviceKind::accelerator) return nullptr;
    unsigned& passed_over = workers_[worker].passed_over;
    if (passed_over == kMostPassedOver) {
      passed_over = 0;
      return nullptr;
    }
    ReservableTask* best = nullptr;
    ReuseOffer best_offer;
    for (ReservableTask* const candidate : reuse_->candidates(worker)) {
      if (candidate == &choice || !usable(*candidate)) continue;
      const ReuseOffer offer = reuse_->offer(worker, *candidate);
      if (offer.bytes == 0 || (best != nullptr && !better_reuse(offer, best_offer))) continue;
      best = candidate;
      best_offer = offer;
    }
    ReuseOffer choice_offer = reuse_->offer(worker, choice);
    if (choice.fetched) choice_offer.bytes = 0;  // its data came for it: nothing is reused
    const bool preferred = best != nullptr && prefers_reuse(best_offer, choice_offer, transfer_impact(worker));
    passed_over = preferred ? passed_over + 1 : 0;
    return preferred ? best : nullptr;
  }

  /// `worker` is handed the task of `record`.
  void handed_out(WorkerId worker, ReservableTask& record) STARPATH_REQUIRES(context_lock);

  /// `worker` found nothing at all.
  void idle(WorkerId worker) { workers_[worker].window.idle(); }

  /// A task ended on `worker` at `now` after running for `seconds`; `now` in StarPU's microseconds. By the
  /// thread that drives the worker, like all calls for it. `task` may be nullptr: not known.
  void finished(WorkerId worker, const starpu_task* task, double now, double seconds);

 private:
  // Times in a row that the policy's choice may be passed over by one worker: it must not wait for ever.
  static constexpr unsigned kMostPassedOver = 16;
  static constexpr unsigned kLargestWindow = 64;

  struct Awaited {
    const starpu_task* task;
    double sent;  // StarPU's microseconds
  };
  struct alignas(64) Worker {  // each its own thread's, but for the line
    std::deque<ReservableTask*> line STARPATH_GUARDED_BY(context_lock);
    AdaptiveWindow window{kLargestWindow};
    Dqaa requests{kLargestWindow};
    RequestTimes<ReservableTask*> unanswered STARPATH_GUARDED_BY(context_lock);  // times in microseconds
    std::vector<Awaited> awaited;  // handed out before their data had come, the oldest first
    OneByOne answers;
    unsigned passed_over = 0;
    double moved = 0;  // seconds of transfers that StarPU expected of the tasks handed out
    double ran = 0;    // seconds of finished tasks
  };

  std::size_t window_of(WorkerId worker) const;
  static void answered(Worker& state, double sent, double at);
  double transfer_impact(WorkerId worker) const;

  const Machine& machine_;
  const Options& options_;
  const bool dqaa_;  // whether Dqaa sizes the windows: the policy wants it and no option says otherwise
  const bool prefetches_;
  const bool measures_;
  std::optional<DataReuse> reuse_ STARPATH_GUARDED_BY(context_lock);
  std::uint32_t generation_ STARPATH_GUARDED_BY(context_lock) = 0;
  std::vector<Worker> workers_;
};

}  // namespace starpath
