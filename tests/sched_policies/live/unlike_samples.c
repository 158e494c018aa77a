/* Runs in SimGrid on StarPU's recorded machine: short tasks, from which every class of workers is learnt, then few that
 * are a thousand times as long. StarPU's model is right about both. A short one takes a core as long as a GPU, a long
 * one twenty times as long. So no long one may run on a core, though all samples are of short ones. */
#include "tests/sched_policies/live/live_support.h"

enum { kShort = 300, kLong = 9, kShortFlops = 1000 };

static int long_ones, on_cores;

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)implementation;
  const int slow = arch->devices[0].type == STARPU_CPU_WORKER && task->flops > kShortFlops;
  return slow ? 20 * task->flops : task->flops;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "by_flops"};
static struct starpu_codelet codelet = {
    .cpu_funcs = {never}, .cuda_funcs = {never}, .model = &model, .name = "by_flops"};

/* A task's callback runs on the worker that ran the task; the simulation runs one thread at a time. */
static void long_one_finished(void* unused) {
  (void)unused;
  long_ones++;
  on_cores += starpu_worker_get_type(starpu_worker_get_id()) == STARPU_CPU_WORKER;
}

static void submit_many(int count, double flops, void (*finished)(void*)) {
  for (int i = 0; i < count; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    task->flops = flops;
    task->callback_func = finished;
    submit(task);
  }
  starpu_task_wait_for_all();
}

int main(void) {
  start();
  submit_many(kShort, kShortFlops, NULL);
  submit_many(kLong, 1e6, long_one_finished);
  check(long_ones == kLong, "each long task ran once");
  check(on_cores == 0, "long tasks run on GPUs");
  starpu_shutdown();
  pass("unlike_samples");
  return 0;
}
