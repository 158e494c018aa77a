/* One worker's first task takes a hundred times as long as all others: afterwards that worker gets work all the same.
 * Usage: delayed_task WORKER. Needs two workers in two classes (STARPATH_CLASSES). */
#include "tests/sched_policies/live/live_support.h"

enum { kBefore = 40, kAfter = 200, kLeast = kAfter / 4 /* half would be its share */ };

static int delayed;
static atomic_int ran[2]; /* by worker */

static void work(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  const int worker = renumbered(starpu_worker_get_id());
  const int first = atomic_fetch_add(&ran[worker], 1) == 0;
  usleep(worker == delayed && first ? 100000 : 1000); /* a busy machine keeps the ratio */
}

static struct starpu_codelet codelet = {ANYWHERE(work), .name = "steady"};

static void run(int tasks) {
  static struct hold hold;
  hold_workers(&hold);
  for (int i = 0; i < tasks; i++) submit(make_task(&codelet, NULL));
  release_workers(&hold);
  check(starpu_task_wait_for_all() == 0, "wait for all");
}

int main(int argc, char** argv) {
  alarm(60);
  check(argc == 2, "usage: delayed_task WORKER");
  delayed = atoi(argv[1]);
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  run(kBefore);
  const int before = atomic_load(&ran[delayed]);
  check(before > 0, "the worker ran its first task");
  run(kAfter);
  const int after = atomic_load(&ran[delayed]) - before;
  printf("after its first task, worker %d ran %d of %d\n", delayed, after, kAfter);
  fflush(stdout);
  check(ran[0] + ran[1] == kBefore + kAfter, "each task ran once");
  check(after >= kLeast, "one delayed task moves no work from its worker");
  starpu_shutdown();
  pass("delayed_task");
  return 0;
}
