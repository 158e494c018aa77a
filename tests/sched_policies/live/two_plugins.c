/* Two plug-ins in one program: STARPU_SCHED_LIB has the first, the arguments are the second and a policy of it. A
 * context of each runs tasks, then each alone serves a StarPU of its own. Knows StarPU only. Needs two workers. */
#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 500 };

static atomic_int ran = 0;

static void run(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&ran, 1);
}

static struct starpu_codelet codelet = {ANYWHERE(run), .name = "run"};

static void use(const char* plugin, const char* policy) {
  setenv("STARPU_SCHED_LIB", plugin, 1);
  setenv("STARPU_SCHED", policy, 1);
}

static void check_policy(unsigned context, const char* policy) {
  check(strcmp(starpu_sched_get_sched_policy_in_ctx(context)->policy_name, policy) == 0, policy);
}

static void submit_to(unsigned context) {
  struct starpu_task* before = NULL;
  for (int i = 0; i < kTasks; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    if (before != NULL) starpu_task_declare_deps_array(task, 1, &before);
    if (before != NULL) check(starpu_task_submit_to_ctx(before, context) == 0, "submit to a context");
    before = task;
  }
  check(starpu_task_submit_to_ctx(before, context) == 0, "submit to a context");
}

/* Of two plug-ins. StarPU closes the first one here, though it is in use. */
static void run_together(const char* policy, const char* second, const char* second_policy) {
  static struct hold hold;
  int workers[2] = {0, 1};
  start();
  use(second, second_policy);
  const unsigned context = make_context(workers, 2);
  check_policy(0, policy);
  check_policy(context, second_policy);
  ran = 0;
  submit_to(0);
  submit_to(context);
  starpu_task_wait_for_all_in_ctx(0);
  starpu_task_wait_for_all_in_ctx(context);
  check(ran == 2 * kTasks, "each task ran once");
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
  starpu_shutdown();
}

static void run_alone(const char* plugin, const char* policy) {
  use(plugin, policy);
  start();
  ran = 0;
  submit_to(0);
  starpu_task_wait_for_all();
  starpu_shutdown();
  check(ran == kTasks, "each task ran once");
}

int main(int count, char** arguments) {
  alarm(60); /* a run that hangs fails */
  check(count == 3, "usage: two_plugins SECOND_PLUGIN POLICY_OF_IT");
  const char* first = strdup(getenv("STARPU_SCHED_LIB"));
  const char* policy = strdup(getenv("STARPU_SCHED"));
  run_together(policy, arguments[1], arguments[2]);
  run_alone(arguments[1], arguments[2]);
  run_alone(first, policy);
  pass("two_plugins");
  return 0;
}
