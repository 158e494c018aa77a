/* StarPU changes a worker's list of contexts while other threads may walk it. So only the worker itself has StarPU walk
 * it, also where a policy asks for estimates. Needs two workers. */
#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 400 };

static atomic_int own = 0, foreign = 0; /* walks of a list: by the worker whose it is, by others */

/* Takes the place of StarPU's own function. Nobody leads a context here. */
#if STARPU_MINOR_VERSION > 4 || STARPU_RELEASE_VERSION >= 99 /* 1.5 has another name */
#define starpu_sched_ctx_worker_is_master_for_child_ctx starpu_sched_ctx_worker_is_primary_for_child_ctx
#endif
unsigned starpu_sched_ctx_worker_is_master_for_child_ctx(int worker, unsigned context) {
  (void)context;
  atomic_fetch_add(worker == starpu_worker_get_id() ? &own : &foreign, 1);
  return STARPU_NMAX_SCHED_CTXS;
}

static double one_millisecond(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return 1000;
}

static atomic_int ran = 0;

static void run(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  atomic_fetch_add(&ran, 1);
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_ARCH, .arch_cost_function = one_millisecond, .symbol = "one_millisecond"};
static struct starpu_codelet codelet = {ANYWHERE_IN_TWO_WAYS(run, run), .model = &model, .name = "modelled"};

int main(void) {
  static struct hold hold;
  int both[2] = {0, 1};
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  const unsigned context = make_context(both, 2);
  for (int i = 0; i < kTasks; i++) {
    struct starpu_task* before = make_task(&codelet, NULL);
    struct starpu_task* task = make_task(&codelet, NULL); /* which a worker pushes when the one before has ended */
    starpu_task_declare_deps_array(task, 1, &before);
    check(starpu_task_submit_to_ctx(task, context) == 0, "submit to the context");
    check(starpu_task_submit_to_ctx(before, context) == 0, "submit to the context");
  }
  check(starpu_task_wait_for_all_in_ctx(context) == 0, "wait for the context");
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
  starpu_shutdown();
  check(ran == 2 * kTasks, "each task ran once");
  check(own >= 2 * kTasks, "the plug-in calls this function and not StarPU's");
  check(foreign == 0, "nobody walks another worker's list of contexts");
  pass("own_contexts");
  return 0;
}
