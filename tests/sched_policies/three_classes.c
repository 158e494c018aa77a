/* Runs in SimGrid on StarPU's recorded machine with its GPUs split in two device classes, "one" and "two"
 * (STARPATH_CLASSES): independent tasks of four kinds, all queued before the first is taken. StarPU's own model says
 * how long each takes where; nothing is computed. Checks who ran what against the policy's definition. */
#include "tests/sched_policies/live_support.h"

enum { kEach = 200, kKinds = 4, kClasses = 3 };
enum { kCpu, kOne, kTwo };

static const double cpu_cost = 10000; /* microseconds */
/* Speedups of each kind on class one and two: good on one, good on two, better on one than on two, good nowhere. */
static const double speedup[kKinds][2] = {{18, 4}, {3, 16}, {9, 6}, {1.3, 1.2}};
static int ran[kKinds][kClasses];

static void never(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
}

/* Workers of class "one", by the numbers that the program is given. */
static int ones[STARPU_NMAXWORKERS];

static int class_of(unsigned worker) {
  if (starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER) return kCpu;
  return ones[worker] ? kOne : kTwo;
}

static double cost(int kind, unsigned worker) {
  const int own = class_of(worker);
  return own == kCpu ? cpu_cost : cpu_cost / speedup[kind][own - kOne];
}

#define COST(kind)                                                                                \
  static double cost_##kind(struct starpu_task* task, unsigned worker, unsigned implementation) { \
    (void)task;                                                                                   \
    (void)implementation;                                                                         \
    return cost(kind, worker);                                                                    \
  }
COST(0)
COST(1)
COST(2)
COST(3)

static struct starpu_perfmodel models[kKinds] = {
    {.type = STARPU_PER_WORKER, .worker_cost_function = cost_0, .symbol = "best_on_one"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = cost_1, .symbol = "best_on_two"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = cost_2, .symbol = "good_on_both"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = cost_3, .symbol = "good_nowhere"}};
static struct starpu_codelet codelets[kKinds];

/* A task's callback runs on the worker that ran the task; the simulation runs one thread at a time. */
static void finished(void* kind) { ran[*(int*)kind][class_of((unsigned)starpu_worker_get_id())]++; }

static void run_all(void) {
  static int kinds[kKinds] = {0, 1, 2, 3};
  starpu_pause();
  for (int i = 0; i < kEach * kKinds; i++) {
    struct starpu_task* task = make_task(&codelets[i % kKinds], NULL);
    task->callback_func = finished;
    task->callback_arg = &kinds[i % kKinds];
    submit(task);
  }
  starpu_resume();
  starpu_task_wait_for_all();
}

static void check_definition(const char* policy) {
  /* A worker on its way when the workers paused may take one task early; towards the end every worker helps. */
  const int nearly_all = kEach * 9 / 10;
  if (strcmp(policy, "pams") == 0 || strcmp(policy, "padas") == 0) {
    check(ran[0][kOne] >= nearly_all, "class one runs what it is best at");
    check(ran[1][kTwo] >= nearly_all, "class two runs what it is best at");
    check(ran[3][kCpu] >= kEach / 2 && ran[0][kCpu] + ran[1][kCpu] <= kEach / 10, "CPU cores run what gains least");
  }
  if (strcmp(policy, "padas") == 0) check(ran[2][kOne] >= ran[2][kTwo], "the first half belongs to class one");
  if (strcmp(policy, "fcfs") == 0 || strcmp(policy, "ddfcfs") == 0) {
    for (int kind = 0; kind < kKinds; kind++) check(ran[kind][kCpu] > 0, "CPU cores run tasks of every kind");
  }
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) ones[atoi(argv[i])] = 1;
  for (int kind = 0; kind < kKinds; kind++) {
    starpu_codelet_init(&codelets[kind]);
    codelets[kind].cpu_funcs[0] = never;
    codelets[kind].cuda_funcs[0] = never;
    codelets[kind].model = &models[kind];
    codelets[kind].name = models[kind].symbol;
  }
  start();
  const double begin = starpu_timing_now();
  run_all();
  for (int kind = 0; kind < kKinds; kind++) {
    printf("%-12s  cpu %3d  one %3d  two %3d\n", codelets[kind].name, ran[kind][kCpu], ran[kind][kOne],
           ran[kind][kTwo]);
    check(ran[kind][kCpu] + ran[kind][kOne] + ran[kind][kTwo] == kEach, "each task ran once");
  }
  printf("simulated seconds %.4f on %u workers\n", (starpu_timing_now() - begin) * 1e-6, starpu_worker_get_count());
  fflush(stdout); /* a failed check ends the program at once */
  check_definition(getenv("STARPU_SCHED"));
  starpu_shutdown();
  pass("three_classes");
  return 0;
}
