/* What the live test programs share: checks, tasks that count, and the PASS line. C, StarPU only. */
#ifndef STARPATH_LIVE_SUPPORT_H
#define STARPATH_LIVE_SUPPORT_H

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static inline void pass(const char* program) { printf("PASS %s policy=%s\n", program, getenv("STARPU_SCHED")); }

/* A task that is not submitted yet. */
static inline struct starpu_task* make_task(struct starpu_codelet* codelet, void* argument) {
  struct starpu_task* task = starpu_task_create();
  task->cl = codelet;
  task->cl_arg = argument;
  return task;
}

static inline void submit(struct starpu_task* task) { check(starpu_task_submit(task) == 0, "starpu_task_submit"); }

#endif
