/* What the live test programs share: checks, tasks that count, and the PASS line. C, StarPU only. */
#ifndef STARPATH_LIVE_SUPPORT_H
#define STARPATH_LIVE_SUPPORT_H

#include <starpu.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A codelet's implementation for CPU workers and, in the flavour opencl, the same function for OpenCL devices, on data
 * in their memory. Elsewhere there is none: StarPU may know OpenCL devices that these tests do not. */
#ifdef STARPATH_OPENCL
#include "codelets/starpu/with_opencl/mapped_buffers.h"
#define ON_DEVICE starpath_cpu_function_mapped
#else
#define ON_DEVICE NULL
#endif
#define ANYWHERE(function) .cpu_funcs = {function}, .opencl_funcs = {ON_DEVICE}
#define ANYWHERE_IN_TWO_WAYS(first, second) .cpu_funcs = {first, second}, .opencl_funcs = {ON_DEVICE, ON_DEVICE}

/* Of tasks that are simulated: their time comes from a model. */
static inline void never(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
}

static inline void check(int ok, const char* what) {
  if (ok) return;
  fprintf(stderr, "FAIL: %s\n", what);
  _Exit(1);
}

/* Starts StarPU and makes sure that the policy is the one STARPU_SCHED names: for an unknown name StarPU warns and
 * runs another. */
static inline void start(void) {
  check(starpu_init(NULL) == 0, "starpu_init");
  const char* wanted = getenv("STARPU_SCHED");
  const char* used = starpu_sched_get_sched_policy()->policy_name;
  check(wanted != NULL && used != NULL && strcmp(wanted, used) == 0, "STARPU_SCHED is the policy in use");
}

/* Where there are two workers, worker 0 of a test is a core, and worker 1 another core or the device. StarPU counts
 * devices first. From StarPU's number to the test's, and back. */
static inline int renumbered(int worker) { return starpu_opencl_worker_get_count() == 0 ? worker : 1 - worker; }

/* Random numbers (xorshift64*) that are the same on every machine; the state must not be 0. */
static inline unsigned draw_from(uint64_t* state, unsigned below) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (unsigned)((*state * 2685821657736338717ULL) >> 33) % below;
}

static inline void pass(const char* program) { printf("PASS %s policy=%s\n", program, getenv("STARPU_SCHED")); }

/* All of a program in which the plug-in should refuse to serve. Its PASS line says that another policy was in use. */
static inline int pass_under_another_policy(const char* program) {
  alarm(60); /* a run that hangs fails */
  check(starpu_init(NULL) == 0, "starpu_init");
  check(strcmp(starpu_sched_get_sched_policy()->policy_name, getenv("STARPU_SCHED")) != 0, "another policy is in use");
  starpu_shutdown();
  pass(program);
  return 0;
}

/* A task that is not submitted yet. */
static inline struct starpu_task* make_task(struct starpu_codelet* codelet, void* argument) {
  struct starpu_task* task = starpu_task_create();
  task->cl = codelet;
  task->cl_arg = argument;
  return task;
}

static inline void submit(struct starpu_task* task) { check(starpu_task_submit(task) == 0, "starpu_task_submit"); }

/* Under the policy that STARPU_SCHED names. */
static inline unsigned make_context(int* workers, int count) {
  return starpu_sched_ctx_create(workers, count, "a context", STARPU_SCHED_CTX_POLICY_NAME, getenv("STARPU_SCHED"), 0);
}

/* For two workers. hold_workers returns when each is inside a task, where it stays until release_workers. Whatever
 * is submitted between the two is queued before anything of it is taken, however the threads are scheduled. */
struct hold {
  atomic_int held, let_go;
  struct starpu_task* tasks[2];
};

static inline void hold_worker(void* buffers[], void* argument) {
  (void)buffers;
  struct hold* hold = argument;
  atomic_fetch_add(&hold->held, 1);
  while (!atomic_load(&hold->let_go)) usleep(100);
}

static inline void hold_workers(struct hold* hold) {
  static struct starpu_codelet codelet = {ANYWHERE(hold_worker), .name = "hold"};
  atomic_store(&hold->held, 0);
  atomic_store(&hold->let_go, 0);
  for (unsigned worker = 0; worker < 2; worker++) {
    struct starpu_task* task = hold->tasks[worker] = make_task(&codelet, hold);
    task->detach = 0;
    task->execute_on_a_specific_worker = 1;
    task->workerid = worker;
    submit(task);
  }
  while (atomic_load(&hold->held) != 2) usleep(100);
}

static inline void release_workers(struct hold* hold) {
  atomic_store(&hold->let_go, 1);
  for (int worker = 0; worker < 2; worker++) check(starpu_task_wait(hold->tasks[worker]) == 0, "wait for the task");
}

#endif
