/* Who runs what under pats: tasks that gain little from the fast worker, and tasks that gain a lot, all queued before
 * the first is taken. The slow worker must run those that gain little. Usage: who_ran_what [learn]
 * Worker 0 is the "slow" class and worker 1 the "fast" one (STARPATH_CLASSES). With `learn` the codelets have no
 * model: a first batch teaches the estimator. */
#include <stdatomic.h>
#include <unistd.h>

#include "tests/sched_policies/live_support.h"

enum { kEach = 40 };

static atomic_int ran[2][2]; /* by kind (0 gains little, 1 a lot) and worker */
static atomic_int left[2];   /* tasks of each kind that nobody has started */
static atomic_int wrong[2];  /* tasks that a worker started while its own kind was left, by worker */

/* Microseconds of a task that gains little, and of one that gains a lot, by worker. */
static const double cost[2][2] = {{2000, 1800}, {8000, 400}};

static void run(int kind) {
  const int worker = starpu_worker_get_id();
  atomic_fetch_sub(&left[kind], 1);
  if (kind != worker && atomic_load(&left[worker]) > 0) atomic_fetch_add(&wrong[worker], 1);
  usleep((useconds_t)cost[kind][worker]);
  atomic_fetch_add(&ran[kind][worker], 1);
}

static void little(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  run(0);
}

static void a_lot(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  run(1);
}

static double little_cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost[0][worker];
}

static double a_lot_cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost[1][worker];
}

static struct starpu_perfmodel models[2] = {
    {.type = STARPU_PER_WORKER, .worker_cost_function = little_cost, .symbol = "little"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = a_lot_cost, .symbol = "a_lot"}};
static struct starpu_codelet codelets[2] = {{.cpu_funcs = {little}, .name = "little"},
                                            {.cpu_funcs = {a_lot}, .name = "a_lot"}};

static void batch(void) {
  memset(ran, 0, sizeof(ran));
  for (int i = 0; i < 2; i++) {
    atomic_store(&left[i], kEach);
    atomic_store(&wrong[i], 0);
  }
  starpu_pause();
  for (int i = 0; i < 2 * kEach; i++) submit(make_task(&codelets[i % 2], NULL));
  starpu_resume();
  starpu_task_wait_for_all();
  for (int kind = 0; kind < 2; kind++) {
    printf("%s: slow %d, fast %d\n", codelets[kind].name, ran[kind][0], ran[kind][1]);
    check(ran[kind][0] + ran[kind][1] == kEach, "each task ran once");
  }
}

int main(int argc, char** argv) {
  alarm(60);
  const int learn = argc > 1 && strcmp(argv[1], "learn") == 0;
  if (!learn) {
    codelets[0].model = &models[0];
    codelets[1].model = &models[1];
  }
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  if (learn) batch();
  batch();
  /* The slow worker's own kind is the one that gains little, the fast worker's the other; one that has none of its own
   * left helps. A worker on its way when the workers paused may take one task early. */
  check(wrong[0] <= 1, "the slow worker takes what gains little while there is any");
  check(wrong[1] <= 1, "the fast worker takes what gains a lot while there is any");
  check(ran[0][0] > 0, "the slow worker takes part");
  starpu_shutdown();
  pass("who_ran_what");
  return 0;
}
