/* Runs in SimGrid on StarPU's recorded machine with one core and one GPU: tasks that the application binds to the core,
 * then as many for either, which a GPU runs somewhat faster. What the core has to do already counts: the GPU gets
 * nearly all of the others. */
#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 40 };

static const double kOnCore = 3000, kOnGpu = 2000; /* microseconds */

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return arch->devices[0].type == STARPU_CPU_WORKER ? kOnCore : kOnGpu;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "bound_work"};
static struct starpu_codelet codelet = {
    .cpu_funcs = {never}, .cuda_funcs = {never}, .model = &model, .name = "bound_work"};

int main(void) {
  start();
  check(starpu_cpu_worker_get_count() == 1 && starpu_cuda_worker_get_count() == 1, "one core and one GPU");
  const double begin = starpu_timing_now();
  for (int i = 0; i < 2 * kTasks; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    task->execute_on_a_specific_worker = i < kTasks;
    task->workerid = (unsigned)starpu_worker_get_by_type(STARPU_CPU_WORKER, 0);
    submit(task);
  }
  starpu_task_wait_for_all();
  const double took = starpu_timing_now() - begin;
  printf("%.1f ms\n", took * 1e-3);
  fflush(stdout);
  check(took < 1.1 * kTasks * kOnCore, "the core gets little beside what is bound to it");
  starpu_shutdown();
  pass("bound_work");
  return 0;
}
