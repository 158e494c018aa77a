/* Runs in SimGrid on StarPU's recorded machine: on each GPU the first task takes a thousand times as long as the
 * others, as where a driver has to load its code, and after that a twentieth of a core's time. Once every worker has
 * run some, GPUs get almost all. Needs an estimator that does not ask StarPU's model. */
#include "tests/sched_policies/live/live_support.h"

enum { kBefore = 60, kAfter = 300, kMostOnCores = 60, kLength = 5000 /* microseconds on a GPU */, kDevices = 8 };

static int on_cores;

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  static struct starpu_task* first[kDevices];
  (void)implementation;
  if (arch->devices[0].type == STARPU_CPU_WORKER) return 20 * kLength;
  struct starpu_task** const first_here = &first[arch->devices[0].devid % kDevices];
  if (*first_here == NULL) *first_here = task;
  return *first_here == task ? 1000 * kLength : kLength;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "loaded"};
static struct starpu_codelet codelet = {.cpu_funcs = {never}, .cuda_funcs = {never}, .model = &model, .name = "loaded"};

static void finished(void* unused) {
  (void)unused;
  on_cores += starpu_worker_get_type(starpu_worker_get_id()) == STARPU_CPU_WORKER;
}

static void submit_many(int count) {
  on_cores = 0;
  for (int i = 0; i < count; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    task->callback_func = finished;
    task->destroy = 0; /* its address stays its own */
    submit(task);
  }
  starpu_task_wait_for_all();
}

int main(void) {
  start();
  submit_many(kBefore);
  submit_many(kAfter);
  printf("%d of %d on cores\n", on_cores, kAfter);
  check(on_cores <= kMostOnCores, "GPUs get almost all");
  starpu_shutdown();
  pass("first_runs");
  return 0;
}
