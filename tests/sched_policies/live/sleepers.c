/* Workers that sleep are told of tasks even after another worker found the context changed. Each forgets once who waits
 * when the number of workers is not the one seen before; here one worker reads an old number, as it may when workers
 * come or leave meanwhile. Then as many tasks as workers wait for each other.
 * Needs two workers. Where workers poll, none sleeps, and this passes in any case. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "tests/sched_policies/live/live_support.h"

enum { kRounds = 20, kPatience = 3000 /* times a millisecond */ };

static atomic_int reads_old_number; /* worker 0, at its next look */
static atomic_int ran, met, missed;

static unsigned (*theirs)(unsigned); /* found before there are threads */

unsigned starpu_sched_ctx_get_nworkers(unsigned context) {
  const unsigned workers = theirs(context);
  if (starpu_worker_get_id() != 0 || !atomic_exchange(&reads_old_number, 0)) return workers;
  return workers - 1;
}

static void look_again(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_store(&reads_old_number, 1);
}

static void meet(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&met, 1);
  for (int i = 0; i < kPatience && atomic_load(&met) != 2; i++) usleep(1000);
  if (atomic_load(&met) != 2) atomic_store(&missed, 1);
  atomic_fetch_add(&ran, 1);
}

static struct starpu_codelet looks = {ANYWHERE(look_again), .name = "look_again"};
static struct starpu_codelet meets = {ANYWHERE(meet), .name = "meet"};

int main(void) {
  alarm(100);
  *(void**)&theirs = dlsym(RTLD_NEXT, "starpu_sched_ctx_get_nworkers");
  check(theirs != NULL, "the function whose place is taken");
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  for (int round = 0; round < kRounds && !atomic_load(&missed); round++) {
    usleep(5000); /* both fall asleep */
    struct starpu_task* task = make_task(&looks, NULL);
    task->execute_on_a_specific_worker = 1;
    task->workerid = 0;
    submit(task);
    starpu_task_wait_for_all();
    usleep(5000);
    atomic_store(&met, 0);
    for (int i = 0; i < 2; i++) submit(make_task(&meets, NULL));
    starpu_task_wait_for_all();
  }
  check(!atomic_load(&missed), "no worker sleeps beside a task");
  check(atomic_load(&ran) == 2 * kRounds, "each task ran once");
  starpu_shutdown();
  pass("sleepers");
  return 0;
}
