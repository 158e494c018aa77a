/* What a scheduling policy costs per task: many empty independent tasks under the policy that STARPU_SCHED names.
 * Usage: task_cost [tasks]. Prints the policy, the number of workers and microseconds a task, on one line. */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

static void nothing(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
}

static struct starpu_codelet empty = {.cpu_funcs = {nothing}, .name = "empty"};

/* Microseconds a task of one round. */
static double round_cost(unsigned tasks) {
  const double begin = starpu_timing_now();
  for (unsigned i = 0; i < tasks; i++) {
    struct starpu_task* task = starpu_task_create();
    task->cl = &empty;
    if (starpu_task_submit(task) != 0) exit(1);
  }
  starpu_task_wait_for_all();
  return (starpu_timing_now() - begin) / tasks;
}

int main(int argc, char** argv) {
  const unsigned tasks = argc > 1 ? (unsigned)atoi(argv[1]) : 65536;
  if (tasks == 0 || starpu_init(NULL) != 0) return 1;
  double best = round_cost(tasks); /* also warms the allocator up */
  for (int round = 0; round < 5; round++) {
    const double cost = round_cost(tasks);
    if (cost < best) best = cost;
  }
  printf("%s %u %.4f\n", starpu_sched_get_sched_policy()->policy_name, starpu_worker_get_count(), best);
  starpu_shutdown();
  return 0;
}
