/* Runs in SimGrid on StarPU's recorded machine with its GPUs split in two device classes, "one" and "two"
 * (STARPATH_CLASSES). Independent tasks of four kinds are all queued before the first is taken. StarPU's own model says
 * how long each takes where; nothing is computed. Checks who ran what against the policy's definition.
 * Usage: three_classes one_codelet|four_codelets WORKER... (the workers of class "one") */
#include "tests/sched_policies/live/live_support.h"

enum { kEach = 200, kKinds = 4, kClasses = 3 };
enum { kCpu, kOne, kTwo };

static const double cpu_cost = 10000; /* microseconds */
/* Speedups of each kind on class one and two: good on one, good on two, better on one than on two, good nowhere. */
static const double speedup[kKinds][2] = {{18, 4}, {3, 16}, {9, 6}, {1.3, 1.2}};
static int ran[kKinds][kClasses];

/* Workers of class "one", by the numbers that the program is given. */
static int ones[STARPU_NMAXWORKERS];

static int class_of(unsigned worker) {
  if (starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER) return kCpu;
  return ones[worker] ? kOne : kTwo;
}

static double cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)implementation;
  const int own = class_of(worker);
  return own == kCpu ? cpu_cost : cpu_cost / speedup[*(const int*)task->cl_arg][own - kOne];
}

static struct starpu_perfmodel model = {.type = STARPU_PER_WORKER, .worker_cost_function = cost, .symbol = "kinds"};
static const char* names[kKinds] = {"best_on_one", "best_on_two", "good_on_both", "good_nowhere"};
static struct starpu_codelet codelets[kKinds];
static int one_codelet; /* whether all tasks are of the same codelet, which is what ddwrr and odds sort */

/* A task's callback runs on the worker that ran the task; the simulation runs one thread at a time. */
static void finished(void* kind) { ran[*(int*)kind][class_of((unsigned)starpu_worker_get_id())]++; }

static void run_all(void) {
  static int kinds[kKinds] = {0, 1, 2, 3};
  starpu_pause();
  for (int i = 0; i < kEach * kKinds; i++) {
    struct starpu_task* task = make_task(&codelets[one_codelet ? 0 : i % kKinds], &kinds[i % kKinds]);
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
  const int by_codelet = strcmp(policy, "ddwrr") == 0 || strcmp(policy, "odds") == 0;
  const int by_gain = strcmp(policy, "pams") == 0 || strcmp(policy, "apex") == 0;
  if (by_gain || (by_codelet && one_codelet)) {
    check(ran[0][kOne] >= nearly_all, "class one runs what it is best at");
    check(ran[1][kTwo] >= nearly_all, "class two runs what it is best at");
    check(ran[3][kCpu] >= kEach / 2 && ran[0][kCpu] + ran[1][kCpu] <= kEach / 10, "CPU cores run what gains least");
  } else if (strcmp(policy, "pats") == 0) { /* does not tell accelerators apart */
    check(ran[3][kCpu] >= nearly_all, "CPU cores run what gains least");
    check(ran[0][kCpu] + ran[1][kCpu] <= kEach / 10, "GPUs run what gains most");
  } else if (strcmp(policy, "padas") == 0) { /* what is good nowhere walks from the tail to the head */
    check(ran[0][kOne] >= nearly_all && ran[2][kOne] >= nearly_all, "class one runs what walked from the tail last");
    check(ran[1][kCpu] > kEach / 2 && ran[3][kCpu] > kEach / 2, "CPU cores run what is between the ends");
    check(ran[0][kCpu] + ran[2][kCpu] <= kEach / 10, "GPUs run what stands at the tail");
  } else if (strcmp(policy, "eft") == 0) { /* when queues are longer elsewhere, others finish a task first */
    check(ran[0][kOne] > kEach / 2 && ran[1][kTwo] > kEach / 2, "most tasks run where they are fastest");
    check(ran[3][kCpu] > kEach / 2, "CPU cores run most of what gains least");
  } else {
    for (int kind = 0; kind < kKinds; kind++) check(ran[kind][kCpu] >= kEach / 4, "CPU cores run tasks of every kind");
  }
}

int main(int argc, char** argv) {
  check(argc >= 2, "usage: three_classes one_codelet|four_codelets WORKER...");
  one_codelet = strcmp(argv[1], "one_codelet") == 0;
  for (int i = 2; i < argc; i++) ones[atoi(argv[i])] = 1;
  for (int kind = 0; kind < kKinds; kind++) {
    starpu_codelet_init(&codelets[kind]);
    codelets[kind].cpu_funcs[0] = never;
    codelets[kind].cuda_funcs[0] = never;
    codelets[kind].model = &model;
    codelets[kind].name = names[kind];
  }
  start();
  const double begin = starpu_timing_now();
  run_all();
  for (int kind = 0; kind < kKinds; kind++) {
    printf("%-12s  cpu %3d  one %3d  two %3d\n", names[kind], ran[kind][kCpu], ran[kind][kOne], ran[kind][kTwo]);
    check(ran[kind][kCpu] + ran[kind][kOne] + ran[kind][kTwo] == kEach, "each task ran once");
  }
  printf("simulated seconds %.4f on %u workers\n", (starpu_timing_now() - begin) * 1e-6, starpu_worker_get_count());
  fflush(stdout); /* a failed check ends the program at once */
  check_definition(getenv("STARPU_SCHED"));
  starpu_shutdown();
  pass("three_classes");
  return 0;
}
