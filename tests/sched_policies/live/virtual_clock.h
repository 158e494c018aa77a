/* StarPU's clock, taken over by a test program: on a worker, time passes only where a task says so. What the plug-in
 * measures then does not depend on how busy the machine is. */
#ifndef STARPATH_VIRTUAL_CLOCK_H
#define STARPATH_VIRTUAL_CLOCK_H

#include <starpu.h>
#include <time.h>

static _Thread_local double passed_microseconds;

static inline void pass_time(double microseconds) { passed_microseconds += microseconds; }

/* Other threads keep the real one: StarPU may measure buses with it when it starts. */
double starpu_timing_now(void) {
  if (starpu_worker_get_id() >= 0) return passed_microseconds;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

#endif
