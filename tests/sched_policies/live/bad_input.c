/* Codelets and tasks that make no sense, many tasks of each: the application runs on, and the user is told once.
 * Usage: bad_input unnamed|no_model|nan|negative|infinite|left|nowhere. Needs two CPU workers in two classes
 * (STARPATH_CLASSES). */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/sched_policies/live/live_support.h"

enum { kMany = 200 };

static atomic_int ran;
static atomic_int gate_open;
static atomic_int refused[2]; /* how often a worker was told no */
static const char* wrong;

static void work(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&ran, 1);
}

/* Returns when each worker has been refused many more times. */
static void wait_for_refusals(void) {
  const int before[2] = {atomic_load(&refused[0]), atomic_load(&refused[1])};
  for (int worker = 0; worker < 2; worker++) {
    while (atomic_load(&refused[worker]) < before[worker] + 12 * kMany) usleep(1000);
  }
}

static void parameter(struct starpu_task* task, double* parameters) {
  (void)task;
  if (strcmp(wrong, "left") == 0) return; /* not known, which is no mistake */
  parameters[0] = strcmp(wrong, "nan") == 0 ? NAN : strcmp(wrong, "negative") == 0 ? -1 : INFINITY;
}

static double unknown(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return NAN;
}

static int never_can(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)worker;
  (void)task;
  (void)implementation;
  return 0;
}

/* Yes when the task is submitted, or StarPU itself would refuse it; no when a worker wants to take it. */
static int when_the_gate_is_open(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)worker;
  (void)task;
  (void)implementation;
  const int asks = starpu_worker_get_id();
  if (asks < 0 || atomic_load(&gate_open)) return 1;
  atomic_fetch_add(&refused[asks], 1);
  return 0;
}

int main(int argc, char** argv) {
  alarm(60);
  check(argc == 2, "usage: bad_input CASE");
  wrong = argv[1];
  struct starpu_perfmodel model = {.type = STARPU_PER_ARCH,
                                   .arch_cost_function = unknown,
                                   .nparameters = 1,
                                   .parameters = parameter,
                                   .symbol = "odd"};
  struct starpu_codelet codelet = {ANYWHERE(work), .name = "odd"};
  if (strcmp(wrong, "unnamed") == 0) codelet.name = NULL;
  if (strcmp(wrong, "nan") == 0 || strcmp(wrong, "negative") == 0 || strcmp(wrong, "infinite") == 0 ||
      strcmp(wrong, "left") == 0)
    codelet.model = &model;
  start();
  if (strcmp(wrong, "nowhere") == 0) {
    struct starpu_codelet never = {ANYWHERE(work), .can_execute = never_can, .name = "never"};
    struct starpu_task* refused = make_task(&never, NULL);
    check(starpu_task_submit(refused) == -ENODEV, "StarPU refuses what no worker can run");
    refused->destroy = 0;
    starpu_task_destroy(refused);
    codelet.can_execute = when_the_gate_is_open;
  }
  for (int i = 0; i < kMany; i++) submit(make_task(&codelet, NULL));
  if (strcmp(wrong, "nowhere") == 0) {
    /* A policy says that tasks wait when each worker has tried all of them; it tries some with each that it takes. */
    wait_for_refusals(); /* now all wait, but a worker may have been refused before the last of them came */
    wait_for_refusals();
    atomic_store(&gate_open, 1);
  }
  starpu_task_wait_for_all();
  check(atomic_load(&ran) == kMany, "each task ran once");
  starpu_shutdown();
  pass("bad_input");
  return 0;
}
