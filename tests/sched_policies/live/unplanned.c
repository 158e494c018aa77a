/* Tasks too short to be planned go past the plan on cores alone, and back when tasks are long: each task runs once, in
 * the order of the data and of the priorities. A planned task says how long it is expected to run, a short one does
 * not. Usage: unplanned. Two workers, all alike. */
#include <math.h>

#include "tests/sched_policies/live/live_support.h"

enum { kLanes = 8, kWindow = 256, kWindows = 12, kHeld = 40 };

static int ran[kLanes]; /* tasks of a lane; they write the same data, so they run one at a time */
static starpu_data_handle_t lanes[kLanes];
static atomic_int planned;

static void step(void* buffers[], void* argument) {
  (void)buffers;
  const int lane = (int)(intptr_t)argument;
  ran[lane]++;
  if (!isnan(starpu_task_get_current()->predicted)) atomic_fetch_add(&planned, 1);
}

static void slow_step(void* buffers[], void* argument) {
  usleep(1000);
  step(buffers, argument);
}

static struct starpu_codelet quick = {ANYWHERE(step), .name = "quick", .nbuffers = 1, .modes = {STARPU_RW}};
static struct starpu_codelet slow = {ANYWHERE(slow_step), .name = "slow", .nbuffers = 1, .modes = {STARPU_RW}};

/* Returns how many of a window's tasks were planned. */
static int run_window(struct starpu_codelet* codelet, int tasks) {
  atomic_store(&planned, 0);
  int before = 0, after = 0;
  for (int lane = 0; lane < kLanes; lane++) before += ran[lane];
  for (int i = 0; i < tasks; i++) {
    struct starpu_task* task = make_task(codelet, (void*)(intptr_t)(i % kLanes));
    task->handles[0] = lanes[i % kLanes];
    task->priority = i % 3;
    submit(task);
  }
  check(starpu_task_wait_for_all() == 0, "wait for all");
  for (int lane = 0; lane < kLanes; lane++) after += ran[lane];
  check(after - before == tasks, "each task ran once");
  return atomic_load(&planned);
}

/* How many of a window's tasks are planned in the window that has the fewest and in the one that has the most. The
 * first windows still learn, and a busy machine may make short tasks long for a while. */
struct range {
  int fewest, most;
};
static struct range run_windows(struct starpu_codelet* codelet) {
  struct range range = {kWindow, 0};
  for (int i = 0; i < kWindows; i++) {
    const int found = run_window(codelet, kWindow);
    if (found < range.fewest) range.fewest = found;
    if (found > range.most) range.most = found;
  }
  return range;
}

static int order[kHeld];
static atomic_int next;

static void note(void* buffers[], void* argument) {
  (void)buffers;
  const int place = atomic_fetch_add(&next, 1);
  if (place < kHeld) order[place] = (int)(intptr_t)argument;
}

static struct starpu_codelet noted = {ANYWHERE(note), .name = "noted"};

/* One worker takes what was queued while it was held, the higher priority first. */
static void run_priorities(void) {
  static struct hold hold;
  hold_workers(&hold);
  atomic_store(&next, 0);
  for (int i = 0; i < kHeld; i++) {
    struct starpu_task* task = make_task(&noted, (void*)(intptr_t)(i % 4));
    task->priority = i % 4;
    submit(task);
  }
  release_workers(&hold);
  check(starpu_task_wait_for_all() == 0, "wait for all");
  check(atomic_load(&next) == kHeld, "each task ran once");
  int wrong = 0;
  for (int i = 0; i < kHeld; i++) wrong += order[i] != 3 - i / (kHeld / 4);
  check(wrong <= kHeld / 4, "higher priorities go first"); /* two workers may note theirs in another order */
}

int main(void) {
  alarm(100);
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  for (int lane = 0; lane < kLanes; lane++)
    starpu_variable_data_register(&lanes[lane], STARPU_MAIN_RAM, (uintptr_t)&ran[lane], sizeof ran[lane]);

  const int quick_ones = run_windows(&quick).fewest;
  for (int i = 0; i < kWindow; i++) submit(make_task(&noted, NULL));
  check(starpu_task_wait_for_all() == 0, "wait for all");
  run_priorities();
  const int slow_ones = run_windows(&slow).most;
  const int quick_ones_after = run_window(&quick, 8); /* before they are short again */
  const int quick_ones_again = run_windows(&quick).fewest;
  printf("planned of %d: %d quick ones, %d slow ones, %d of the next 8 quick ones, %d quick ones again\n", kWindow,
         quick_ones, slow_ones, quick_ones_after, quick_ones_again);
  fflush(stdout);
  check(quick_ones == 0 && quick_ones_again == 0, "quick tasks are not planned");
  check(slow_ones == kWindow, "slow tasks are planned");
  check(quick_ones_after == 8, "a quick task among slow ones is planned");

  for (int lane = 0; lane < kLanes; lane++) starpu_data_unregister(lanes[lane]);
  starpu_shutdown();
  pass("unplanned");
  return 0;
}
