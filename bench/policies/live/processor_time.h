/* Clocks of the benches in this folder: elapsed time, and the processor time of StarPU's workers and of the thread that
 * submits. Idle workers spin, so on as many cores as workers both say alike; but other work on the machine changes the
 * second one less. (CLOCK_PROCESS_CPUTIME_ID is late by some milliseconds for threads that run.) */
#ifndef STARPATH_BENCH_PROCESSOR_TIME_H
#define STARPATH_BENCH_PROCESSOR_TIME_H

#include <pthread.h>
#include <starpu.h>
#include <stdlib.h>
#include <time.h>

static clockid_t worker_clocks[STARPU_NMAXWORKERS];

static inline double microseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static inline void note_clock(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  pthread_getcpuclockid(pthread_self(), &worker_clocks[starpu_worker_get_id_check()]);
}

/* Once, after starpu_init. */
static inline void find_worker_clocks(void) {
  static struct starpu_codelet codelet = {.cpu_funcs = {note_clock}, .name = "note_clock"};
  for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) {
    struct starpu_task* task = starpu_task_create();
    task->cl = &codelet;
    task->execute_on_a_specific_worker = 1;
    task->workerid = worker;
    if (starpu_task_submit(task) != 0) exit(1);
  }
  starpu_task_wait_for_all();
}

/* Microseconds since the threads began; by the thread that submits. */
static inline double processor_microseconds(void) {
  double sum = microseconds(CLOCK_THREAD_CPUTIME_ID);
  for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) sum += microseconds(worker_clocks[worker]);
  return sum;
}

#endif
