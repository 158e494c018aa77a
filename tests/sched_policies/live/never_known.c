/* Tasks whose run time will never be known do not wait to be explored: by their higher priority they go before all that
 * are known. Usage: never_known parameter|length|model
 *   parameter  their model declares a parameter that is no number
 *   length     they take no time, as far as the clock says
 *   model      their model says a time that is no number of seconds; that of the others is fine
 * Needs two CPU workers in two classes (STARPATH_CLASSES). */
#include <math.h>

#include "tests/sched_policies/live/live_support.h"
#include "tests/sched_policies/live/virtual_clock.h"

enum {
  kFirst = 40, /* of each, so that all is found out that ever will be */
  kKnown = 200,
  kUrgent = 40,
  kLatest = kUrgent + 10 /* among them all; kept to be explored, one in three would be urgent */
};

static atomic_int started, latest_urgent;
static int parameter_is_wrong;

static void known(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&started, 1);
  usleep(200);
  pass_time(200);
}

static void odd(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_store(&latest_urgent, atomic_fetch_add(&started, 1) + 1);
  usleep(200);
  if (parameter_is_wrong) pass_time(200);
}

static void parameter(struct starpu_task* task, double* parameters) {
  (void)task;
  parameters[0] = NAN;
}

static double unknown(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return NAN;
}

/* Microseconds: above 0, but 0 in seconds. */
static double next_to_nothing(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)worker;
  (void)implementation;
  return 5e-324;
}

static double three_times_faster(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return renumbered((int)worker) == 0 ? 300 : 100;
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .arch_cost_function = unknown, .nparameters = 1, .parameters = parameter, .symbol = "odd"};
static struct starpu_perfmodel models[2] = {
    {.type = STARPU_PER_WORKER, .worker_cost_function = three_times_faster, .symbol = "known"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = next_to_nothing, .symbol = "odd"}};
static struct starpu_codelet codelets[2] = {{ANYWHERE(known), .name = "known"}, {ANYWHERE(odd), .name = "odd"}};

static void submit_many(int kind, int tasks, int priority) {
  for (int i = 0; i < tasks; i++) {
    struct starpu_task* task = make_task(&codelets[kind], NULL);
    task->priority = priority;
    submit(task);
  }
}

int main(int argc, char** argv) {
  alarm(60);
  check(argc == 2, "usage: never_known CASE");
  parameter_is_wrong = strcmp(argv[1], "parameter") == 0;
  if (parameter_is_wrong) codelets[1].model = &model;
  for (int i = 0; i < 2 && strcmp(argv[1], "model") == 0; i++) codelets[i].model = &models[i];
  start();
  static struct hold hold;
  hold_workers(&hold); /* else one worker may run all of them */
  submit_many(0, kFirst, 0);
  submit_many(1, kFirst, 0);
  release_workers(&hold);
  starpu_task_wait_for_all();
  atomic_store(&started, 0);
  hold_workers(&hold);
  submit_many(0, kKnown, 0);
  submit_many(1, kUrgent, 1);
  release_workers(&hold);
  starpu_task_wait_for_all();
  check(atomic_load(&started) == kKnown + kUrgent, "each task ran once");
  printf("%d urgent tasks of %d: the last was number %d\n", kUrgent, kKnown + kUrgent, atomic_load(&latest_urgent));
  fflush(stdout);
  check(atomic_load(&latest_urgent) <= kLatest, "tasks that are never known go by their priority");
  starpu_shutdown();
  pass("never_known");
  return 0;
}
