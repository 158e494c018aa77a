/* StarPU's own dmda on the estimates of a profile. Usage: dmda_on_profile record|known|again|unknown
 * `record` runs tasks of three sizes under a policy of ours, so that the profile gets samples of them; `known` checks
 * that dmda's model answers with these times and runs the tasks; `again` does so after a start with other workers, of
 * which the profile knows nothing; `unknown` checks that it says NaN without a profile. */
#include <math.h>
#include <unistd.h>

#include "starpath/perfmodel.h"
#include "tests/sched_policies/live/live_support.h"
#include "tests/sched_policies/live/virtual_clock.h"

enum { kTasks = 30 };

static void size_of(struct starpu_task* task, double* parameters) { parameters[0] = *(int*)task->cl_arg; }

static void work(void* buffers[], void* argument) {
  (void)buffers;
  pass_time(*(int*)argument * 1000.0);
}

static struct starpu_perfmodel model;
static struct starpu_codelet codelet = {ANYWHERE(work), .name = "sleeper", .model = &model};
static int sizes[3] = {1, 4, 8};

static double estimate(struct starpu_task* task) {
  const int cpu = starpu_worker_get_by_type(STARPU_CPU_WORKER, 0);
  return starpu_task_expected_length(task, starpu_worker_get_perf_archtype(cpu, 0), 0);
}

static void start_with_other_workers(void) {
  setenv("STARPU_NCPU", "1", 1);
  setenv("STARPATH_CLASSES", "other=0,1", 1);
  start();
  struct starpu_task* task = make_task(&codelet, &sizes[0]);
  check(isnan(estimate(task)), "nothing is known of other workers");
  submit(task);
  starpu_task_wait_for_all();
  starpu_shutdown();
  setenv("STARPU_NCPU", "2", 1);
  unsetenv("STARPATH_CLASSES");
}

int main(int argc, char** argv) {
  alarm(60);
  const char* mode = argc > 1 ? argv[1] : "";
  static const char* names[] = {"milliseconds"};
  model = starpath_perfmodel("sleeper");
  model.nparameters = 1;
  model.parameters = size_of;
  model.parameters_names = names;
  const int again = strcmp(mode, "again") == 0;
  if (again) start_with_other_workers();
  start();
  for (int i = 0; i < 3 && strcmp(mode, "record") != 0; i++) {
    struct starpu_task* task = make_task(&codelet, &sizes[i]);
    const double expected = estimate(task);
    printf("%d ms: %g us\n", sizes[i], expected);
    if (again || strcmp(mode, "known") == 0)
      check(fabs(expected - sizes[i] * 1000) < 1e-3, "the estimate is the measured time");
    else
      check(isnan(expected), "nothing is known");
    submit(task);
  }
  for (int i = 0; i < kTasks; i++) submit(make_task(&codelet, &sizes[i % 3]));
  starpu_task_wait_for_all();
  starpu_shutdown();
  pass("dmda_on_profile");
  return 0;
}
