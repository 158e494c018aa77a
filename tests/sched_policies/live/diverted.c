/* A worker that was told of a task gets another one past the policy: the first task is for the next idle worker.
 * Worker 0 is busy, and a task waits that only it may run. So workers 1 and 2 have looked in vain and wait to be told.
 * Then come a task for anybody and at once one for worker 1 alone, which waits until the other has begun.
 * Needs three CPU workers. */
#include "tests/sched_policies/live/live_support.h"

enum {
  kRounds = 60,
  kPatience = 300, /* times a millisecond, after which the first task counts as left */
  kByChance = 4    /* rounds in which the machine may be too busy */
};

static atomic_int holding, let_go, begun, left;

static void hold(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_store(&holding, 1);
  while (!atomic_load(&let_go)) usleep(100);
}

static void nothing(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
}

static void begin(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_store(&begun, 1);
}

static void wait_for_the_other(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  for (int i = 0; i < kPatience && !atomic_load(&begun); i++) usleep(1000);
  if (!atomic_load(&begun)) atomic_fetch_add(&left, 1);
  atomic_store(&let_go, 1);
}

static struct starpu_codelet codelets[4] = {{.cpu_funcs = {hold}, .name = "hold"},
                                            {.cpu_funcs = {nothing}, .name = "nothing"},
                                            {.cpu_funcs = {begin}, .name = "begin"},
                                            {.cpu_funcs = {wait_for_the_other}, .name = "wait"}};

static struct starpu_task* bound(int kind, unsigned worker) {
  struct starpu_task* task = make_task(&codelets[kind], NULL);
  task->execute_on_a_specific_worker = 1;
  task->workerid = worker;
  return task;
}

static void one_round(int round) {
  static uint32_t only_worker_0 = 1;
  atomic_store(&holding, 0);
  atomic_store(&let_go, 0);
  atomic_store(&begun, 0);
  submit(bound(0, 0));
  while (!atomic_load(&holding)) usleep(100);
  struct starpu_task* waits = make_task(&codelets[1], NULL);
  waits->workerids = &only_worker_0;
  waits->workerids_len = 1;
  submit(waits);
  usleep(2000 + round % 7 * 13); /* the others look for it */
  struct starpu_task* for_anybody = make_task(&codelets[2], NULL);
  struct starpu_task* diverts = bound(3, 1);
  submit(round % 4 == 3 ? diverts : for_anybody);
  submit(round % 4 == 3 ? for_anybody : diverts);
  starpu_task_wait_for_all();
}

int main(void) {
  alarm(100);
  start();
  check(starpu_worker_get_count() == 3, "three workers");
  for (int round = 0; round < kRounds; round++) one_round(round);
  printf("left in %d of %d rounds\n", atomic_load(&left), kRounds);
  fflush(stdout);
  check(atomic_load(&left) <= kByChance, "no task waits beside an idle worker");
  starpu_shutdown();
  pass("diverted");
  return 0;
}
