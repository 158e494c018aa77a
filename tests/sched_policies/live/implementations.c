/* A codelet of two implementations: one takes as long for any size, and the other one is faster where the size is
 * small. Nothing tells but the tasks themselves: implementations chosen | first. */
#include <math.h>

#include "tests/sched_policies/live/live_support.h"
#include "tests/sched_policies/live/virtual_clock.h"

enum { kSmall = 1, kLarge = 16, kOfEachSize = 100, kTries = 25 };

static atomic_int used[2][2]; /* tasks run, by size (0: small) and implementation */

static void steady(void* buffers[], void* argument) {
  (void)buffers;
  pass_time(1000);
  atomic_fetch_add(&used[*(const int*)argument == kLarge][0], 1);
}

static void by_size(void* buffers[], void* argument) {
  (void)buffers;
  pass_time(200 * *(const int*)argument);
  atomic_fetch_add(&used[*(const int*)argument == kLarge][1], 1);
}

static void size_of_argument(struct starpu_task* task, double* parameters) {
  parameters[0] = *(const int*)task->cl_arg;
}

static double no_idea(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return NAN;
}

static const char* names[] = {"size"};
static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH,
                                        .arch_cost_function = no_idea,
                                        .nparameters = 1,
                                        .parameters = size_of_argument,
                                        .parameters_names = names,
                                        .symbol = "two"};
static struct starpu_codelet codelet = {ANYWHERE_IN_TWO_WAYS(steady, by_size), .model = &model, .name = "two"};

int main(int argc, char** argv) {
  alarm(100); /* a run that hangs fails */
  start();
  static int sizes[2] = {kSmall, kLarge};
  for (int i = 0; i < 2 * kOfEachSize; i++) submit(make_task(&codelet, &sizes[i % 2]));
  check(starpu_task_wait_for_all() == 0, "wait for all");
  if (argc == 2 && strcmp(argv[1], "chosen") == 0) {
    check(used[0][1] >= kOfEachSize - kTries, "small tasks run in the second implementation, after some tries");
    check(used[1][0] >= kOfEachSize - kTries, "large tasks run in the first one, after some tries");
    check(used[0][0] > 0 && used[1][1] > 0, "each is tried on each size");
  } else {
    check(used[0][0] == kOfEachSize && used[1][0] == kOfEachSize, "without estimates the first implementation runs");
  }
  starpu_shutdown();
  pass("implementations");
  return 0;
}
