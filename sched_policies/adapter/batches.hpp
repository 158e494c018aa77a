// The batches of short tasks that workers took.
#pragma once
#include <starpu.h>

#include <array>
#include <vector>

#include "sched_policies/adapter/batch.hpp"
#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/adapter/planned_task.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/fetch_ahead.hpp"

namespace starpath {

/// Has a batch for each worker. A worker calls for its own batch without the lock, others under it.
class Batches {
 public:
  /// Seconds after which the rest of a batch is for any worker that has nothing else.
  static constexpr double kLast = 1e-3;

  explicit Batches(std::size_t workers) : workers_(workers) {}

  const Batch& of(WorkerId worker) const { return workers_[worker].batch; }

  bool others_have_any(WorkerId worker) const {
    for (WorkerId other = 0; other < workers_.size(); ++other) {
      if (other != worker && !of(other).all_taken()) return true;
    }
    return false;
  }

  /// Refills the worker's own, once all of it was taken: `next()` gives one task after another, at
  /// last nullptr. `begun(task)` is called for each once all are known.
  template <class Next, class Begun>
  void fill(WorkerId worker, double now, Next next, Begun begun) STARPATH_REQUIRES(context_lock) {
    Worker& state = workers_[worker];
    state.batch.clear();
    while (!state.batch.full()) {
      PlannedTask* const record = next();
      if (record == nullptr) break;
      state.batch.add(*record);
    }
    if (state.batch.size() == 0) return;
    for (std::size_t i = 0; i < state.batch.size(); ++i) {
      begun(state.batch[i]);
      state.memory[i] = {.task = state.batch[i].owner, .job = state.batch[i].task()->starpu_private};
    }
    for (const std::size_t soon : {0, 1}) state.fetch_task(soon);
    state.fetch_job(0);
    state.batch.close(now);
  }

  struct Taken {
    PlannedTask* record = nullptr;  ///< nullptr: there was none
    std::size_t emptied = 0;        ///< if this was the last: how many the batch held
  };
  /// By `worker`.
  Taken take(WorkerId owner, WorkerId worker) {
    Worker& state = workers_[owner];
    const Batch::Taken taken = state.batch.take();
    if (taken.record == nullptr) return {};
    const std::size_t next = taken.place + 1;
    if (next == state.batch.size()) return {.record = taken.record, .emptied = next};
    if (owner == worker) {
      state.fetch_job(next);
      state.fetch_task(next + 1);
    }
    return {.record = taken.record};
  }

 private:
  static constexpr std::size_t kJob = 13 * 64;  // bytes of StarPU's part of a task

  /// Where a task is in memory: only to fetch it ahead. StarPU looks at more of a task than we do.
  struct Memory {
    const void* task = nullptr;
    const void* job = nullptr;  // StarPU's part
  };
  struct alignas(64) Worker {
    Batch batch;
    std::array<Memory, Batch::kMost> memory;  // of its tasks
    void fetch_task(std::size_t place) const {
      if (place < batch.size()) fetch_ahead(memory[place].task, sizeof(starpu_task));
    }
    void fetch_job(std::size_t place) const {
      if (place < batch.size()) fetch_ahead(memory[place].job, kJob);
    }
  };
  std::vector<Worker> workers_;
};

}  // namespace starpath
