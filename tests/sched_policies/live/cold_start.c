/* A start without any estimate: tasks of two codelets without a model are all queued before the first is taken. The
 * policy soon knows, or guesses, what suits whom: the slow worker gets few of the codelet that gains more from the fast
 * one.
 * Worker 0 is the "slow" class and worker 1 the "fast" one (STARPATH_CLASSES). */
#include "tests/sched_policies/live/live_support.h"

enum {
  kLittle = 80,
  kALot = 40,
  kMostOnSlow = 5 /* of the kALot; by chance it would be a quarter of them */
};

static atomic_int ran[2][2]; /* by kind (0 gains little, 1 a lot) and worker */

/* Microseconds of a task, by kind and worker. Tasks sleep: a busy machine keeps the ratios. */
static const unsigned cost[2][2] = {{8000, 7200}, {32000, 2000}};

static void run(int kind) {
  const int worker = renumbered(starpu_worker_get_id());
  usleep(cost[kind][worker]);
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

static struct starpu_codelet codelets[2] = {{ANYWHERE(little), .name = "little"}, {ANYWHERE(a_lot), .name = "a_lot"}};

int main(void) {
  alarm(60);
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  static struct hold hold;
  hold_workers(&hold);
  for (int i = 0; i < kLittle + kALot; i++) submit(make_task(&codelets[i % 3 == 2], NULL));
  release_workers(&hold);
  starpu_task_wait_for_all();
  for (int kind = 0; kind < 2; kind++) {
    printf("%s: slow %d, fast %d\n", codelets[kind].name, ran[kind][0], ran[kind][1]);
  }
  check(ran[0][0] > 0 && ran[0][1] > 0, "each class runs what gains little");
  check(ran[1][1] > 0, "the fast worker runs what gains a lot");
  check(ran[0][0] + ran[0][1] == kLittle && ran[1][0] + ran[1][1] == kALot, "each task ran once");
  fflush(stdout);
  check(ran[1][0] <= kMostOnSlow, "the slow worker gets few of what gains a lot from the fast one");
  starpu_shutdown();
  pass("cold_start");
  return 0;
}
