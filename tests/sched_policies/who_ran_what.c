/* Who runs what under pats: tasks that gain little from the fast worker, and tasks that gain a lot, all queued before
 * the first is taken. The slow worker must run those that gain little. Usage: who_ran_what [learn]
 * Worker 0 is the "slow" class and worker 1 the "fast" one (STARPATH_CLASSES). With `learn` the codelets have no
 * model: a first batch teaches the estimator. */
#include <stdatomic.h>
#include <unistd.h>

#include "tests/sched_policies/live_support.h"

enum { kEach = 40 };

static atomic_int ran[2][2]; /* by kind (0 gains little, 1 a lot) and worker */

/* Microseconds of a task that gains little, and of one that gains a lot, by worker. */
static const double cost[2][2] = {{2000, 1800}, {8000, 400}};

static void run(int kind) {
  const int worker = starpu_worker_get_id();
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
  /* 40 tasks of 0.4 ms on the fast worker take 16 ms, eight of the slow worker's tasks. With all of them done the fast
   * worker helps with the others. A worker on its way when the workers paused may take one task early. */
  check(ran[1][0] <= 1, "tasks that gain a lot run on the fast worker");
  check(ran[0][0] >= kEach / 4, "tasks that gain little run on the slow worker");
  starpu_shutdown();
  pass("who_ran_what");
  return 0;
}
