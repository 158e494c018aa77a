/* Who runs what under pats: tasks that gain little from the fast worker, and tasks that gain a lot, all queued before
 * the first is taken. Whenever a worker takes a task, a kind that it should rather take must not be queued.
 * Usage: who_ran_what [learn]
 * Worker 0 is the "slow" class and worker 1 the "fast" one (STARPATH_CLASSES). With `learn` the codelets have no
 * model: tasks bound to the workers teach the estimator first. */
#include "tests/sched_policies/live/live_support.h"
#include "tests/sched_policies/live/virtual_clock.h"

enum { kEach = 40 };

static atomic_int ran[2][2];  /* by kind (0 gains little, 1 a lot) and worker */
static atomic_int queued[2];  /* by kind */
static atomic_int wrong[2];   /* tasks that a worker took while its own kind was queued, by worker */
static atomic_int arrived[2]; /* by worker */

/* Microseconds of a task that gains little, and of one that gains a lot, by worker. */
static const double cost[2][2] = {{2000, 1800}, {8000, 400}};

static void run(int kind) {
  const int worker = renumbered(starpu_worker_get_id());
  /* Both take part: none runs a second task before the other has its first. */
  atomic_store(&arrived[worker], 1);
  while (!atomic_load(&arrived[1 - worker])) usleep(100);
  pass_time(cost[kind][worker]);
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
  return cost[0][renumbered((int)worker)];
}

static double a_lot_cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost[1][renumbered((int)worker)];
}

static struct starpu_perfmodel models[2] = {
    {.type = STARPU_PER_WORKER, .worker_cost_function = little_cost, .symbol = "little"},
    {.type = STARPU_PER_WORKER, .worker_cost_function = a_lot_cost, .symbol = "a_lot"}};
static struct starpu_codelet codelets[2] = {{ANYWHERE(little), .name = "little"}, {ANYWHERE(a_lot), .name = "a_lot"}};

/* Takes the place of StarPU's own function, which a policy calls at each decision, under its lock: what is counted as
 * queued here is in the policy's queue. */
void starpu_sched_task_break(struct starpu_task* task) {
  const int kind = task->cl == &codelets[1];
  const int worker = renumbered(starpu_worker_get_id());
  atomic_fetch_sub(&queued[kind], 1);
  if (kind != worker && atomic_load(&queued[worker]) > 0) atomic_fetch_add(&wrong[worker], 1);
}

static void teach(void) {
  for (int i = 0; i < 4 * kEach; i++) {
    struct starpu_task* task = make_task(&codelets[i % 2], NULL);
    task->execute_on_a_specific_worker = 1;
    task->workerid = (unsigned)renumbered(i / 2 % 2);
    submit(task);
  }
  starpu_task_wait_for_all();
  memset(ran, 0, sizeof(ran));
  memset(arrived, 0, sizeof(arrived));
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
  if (learn) teach();

  static struct hold hold;
  hold_workers(&hold);
  for (int i = 0; i < 2 * kEach; i++) {
    submit(make_task(&codelets[i % 2], NULL));
    atomic_fetch_add(&queued[i % 2], 1);
  }
  release_workers(&hold);
  starpu_task_wait_for_all();
  for (int kind = 0; kind < 2; kind++) {
    printf("%s: slow %d, fast %d\n", codelets[kind].name, ran[kind][0], ran[kind][1]);
    check(ran[kind][0] + ran[kind][1] == kEach, "each task ran once");
    check(queued[kind] == 0, "each task was taken in one decision");
  }
  check(wrong[0] == 0, "the slow worker takes what gains little while there is any");
  check(wrong[1] == 0, "the fast worker takes what gains a lot while there is any");
  check(ran[0][0] > 0 && ran[1][1] > 0, "both take part");
  starpu_shutdown();
  pass("who_ran_what");
  return 0;
}
