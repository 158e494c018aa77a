/* Policies that whoever compares policies must survive: one loses every task, one dies of the first, one never answers.
 */
#include <signal.h>
#include <starpu.h>
#include <starpu_scheduler.h>
#include <string.h>

static void begin(unsigned context) { (void)context; }

static int lose(struct starpu_task* task) {
  starpu_push_task_end(task);
  return 0;
}

static int die(struct starpu_task* task) {
  (void)task;
  return raise(SIGKILL);
}

static struct starpu_task* nothing(unsigned context) {
  (void)context;
  return NULL;
}

static struct starpu_task* never(unsigned context) {
  volatile unsigned asked = 0;
  for (;;) asked = context;
}

static struct starpu_sched_policy hangs = {.init_sched = begin,
                                           .push_task = lose,
                                           .pop_task = nothing,
                                           .policy_name = "hangs",
                                           .policy_description = "loses every task"};
static struct starpu_sched_policy crashes = {.init_sched = begin,
                                             .push_task = die,
                                             .pop_task = nothing,
                                             .policy_name = "crashes",
                                             .policy_description = "dies of the first task"};

static struct starpu_sched_policy spins = {.init_sched = begin,
                                           .push_task = lose,
                                           .pop_task = never,
                                           .policy_name = "spins",
                                           .policy_description = "never answers a worker that asks for a task"};

struct starpu_sched_policy** starpu_get_sched_lib_policies(void) {
  static struct starpu_sched_policy* all[] = {&hangs, &crashes, &spins, NULL};
  return all;
}

struct starpu_sched_policy* starpu_get_sched_lib_policy(const char* name) {
  for (struct starpu_sched_policy** own = starpu_get_sched_lib_policies(); *own != NULL; ++own)
    if (strcmp((*own)->policy_name, name) == 0) return *own;
  return NULL;
}
