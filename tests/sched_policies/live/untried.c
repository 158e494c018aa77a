/* A codelet of which nothing is known goes to the accelerator, although a core is idle: each of many codelets has one
 * task, and the next is submitted when it has ended. Then an accelerator that is busy with a task of the application
 * keeps no core from such a task for long. Worker 0 is the "slow" class, a core, and worker 1 the "fast" one, an
 * accelerator (STARPATH_CLASSES). */
#include "tests/sched_policies/live/live_support.h"

enum { kCodelets = 30 };

static atomic_int ran[2]; /* by worker */

static void work(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  usleep(500);
  atomic_fetch_add(&ran[renumbered(starpu_worker_get_id())], 1);
}

static struct starpu_codelet codelets[kCodelets + 1];
static char names[kCodelets + 1][16];

int main(void) {
  alarm(60);
  for (int kind = 0; kind <= kCodelets; kind++) {
    snprintf(names[kind], sizeof(names[kind]), "kind%d", kind);
    codelets[kind] = (struct starpu_codelet){ANYWHERE(work), .name = names[kind]};
  }
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  for (int kind = 0; kind < kCodelets; kind++) {
    submit(make_task(&codelets[kind], NULL));
    starpu_task_wait_for_all();
  }
  printf("untried codelets: slow %d, fast %d\n", ran[0], ran[1]);
  fflush(stdout);
  check(ran[0] + ran[1] == kCodelets, "each task ran once");
  check(ran[1] == kCodelets, "the accelerator tries what nothing is known of");

  static struct hold hold;
  static struct starpu_codelet held = {ANYWHERE(hold_worker), .name = "held"};
  struct starpu_task* bound = make_task(&held, &hold);
  bound->execute_on_a_specific_worker = 1;
  bound->workerid = (unsigned)renumbered(1);
  submit(bound);
  while (!atomic_load(&hold.held)) usleep(100);
  submit(make_task(&codelets[kCodelets], NULL));
  while (atomic_load(&ran[0]) == 0) usleep(1000); /* or the alarm ends it */
  atomic_store(&hold.let_go, 1);
  starpu_task_wait_for_all();
  starpu_shutdown();
  pass("untried");
  return 0;
}
