// The workers of a scheduling context, and whether they sleep.
#pragma once
#include <starpu.h>

#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

// Whether an idle worker sleeps until it is woken, or keeps asking.
#if defined(STARPU_NON_BLOCKING_DRIVERS) && !defined(STARPU_SIMGRID)
inline constexpr bool kWorkersSleep = false;
#else
inline constexpr bool kWorkersSleep = true;
#endif

/// Until `visit(worker)` is false.
template <class Visit>
void for_each_worker(unsigned context, Visit visit) {
  starpu_worker_collection* workers = starpu_sched_ctx_get_worker_collection(context);
  starpu_sched_ctx_iterator it;
  workers->init_iterator(workers, &it);
  while (workers->has_next(workers, &it) != 0) {
    if (!visit(static_cast<WorkerId>(workers->get_next(workers, &it)))) return;
  }
}

/// Wakes those of these workers that sleep. Under no lock.
inline void wake_workers(const std::vector<int>& workers) {
  for (const int worker : workers) starpu_wake_worker_relax_light(worker);
}

}  // namespace starpath
