/* A start without any estimate: tasks of many codelets are all queued before the first is taken. A task is estimated
 * when it is queued and when its own codelet has its first sample on a class, not when another codelet has one. An
 * estimate asks for the parameters that the codelet's model declares, and that is counted. Needs two CPU workers in two
 * classes (STARPATH_CLASSES). */
#include <math.h>

#include "tests/sched_policies/live/live_support.h"

enum {
  kCodelets = 40,
  kTasks = 4000,
  kMostOften = 10 /* for one task, what is learnt from it included; every first sample of any codelet would be 80 */
};

static atomic_int ran, asked;

static void work(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&ran, 1);
}

static void parameter(struct starpu_task* task, double* parameters) {
  (void)task;
  parameters[0] = 1;
  atomic_fetch_add(&asked, 1);
}

static double unknown(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return NAN;
}

static struct starpu_codelet codelets[kCodelets];
static struct starpu_perfmodel models[kCodelets];
static char names[kCodelets][16];

static void describe(int kind) {
  snprintf(names[kind], sizeof(names[kind]), "kind%d", kind);
  models[kind] = (struct starpu_perfmodel){.type = STARPU_PER_ARCH,
                                           .arch_cost_function = unknown,
                                           .nparameters = 1,
                                           .parameters = parameter,
                                           .symbol = names[kind]};
  codelets[kind] = (struct starpu_codelet){ANYWHERE(work), .name = names[kind], .model = &models[kind]};
}

int main(void) {
  alarm(60);
  for (int kind = 0; kind < kCodelets; kind++) describe(kind);
  start();
  static struct hold hold;
  hold_workers(&hold);
  for (int i = 0; i < kTasks; i++) submit(make_task(&codelets[i % kCodelets], NULL));
  release_workers(&hold);
  starpu_task_wait_for_all();
  check(atomic_load(&ran) == kTasks, "each task ran once");
  const int times = atomic_load(&asked);
  printf("%d tasks, parameters asked for %d times\n", kTasks, times);
  fflush(stdout);
  check(times <= kMostOften * kTasks, "a first sample concerns the tasks of its codelet only");
  starpu_shutdown();
  pass("many_codelets");
  return 0;
}
