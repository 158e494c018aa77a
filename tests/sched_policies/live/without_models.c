/* Which policies ask StarPU's performance models: those that estimate from samples alone must not, in a live run with
 * codelets that have models of each kind. StarPU's functions are replaced by ones that count, and so do the functions
 * of the models, in case anybody finds another way to them. Usage: without_models [asked]   asked: instead, they must
 * be asked, which shows that this program would notice Needs two classes of one worker each. */
#include <math.h>

#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 60 };

static atomic_int asked, ran;

static double count(void) {
  atomic_fetch_add(&asked, 1);
  return NAN; /* not calibrated */
}

double starpu_task_expected_length(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned nimpl) {
  (void)task, (void)arch, (void)nimpl;
  return count();
}
double starpu_task_worker_expected_length(struct starpu_task* task, unsigned workerid, unsigned sched_ctx_id,
                                          unsigned nimpl) {
  (void)task, (void)workerid, (void)sched_ctx_id, (void)nimpl;
  return count();
}
double starpu_task_expected_length_average(struct starpu_task* task, unsigned sched_ctx_id) {
  (void)task, (void)sched_ctx_id;
  return count();
}
double starpu_task_bundle_expected_length(starpu_task_bundle_t bundle, struct starpu_perfmodel_arch* arch,
                                          unsigned nimpl) {
  (void)bundle, (void)arch, (void)nimpl;
  return count();
}
double starpu_task_expected_energy(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned nimpl) {
  (void)task, (void)arch, (void)nimpl;
  return count();
}
double starpu_task_worker_expected_energy(struct starpu_task* task, unsigned workerid, unsigned sched_ctx_id,
                                          unsigned nimpl) {
  (void)task, (void)workerid, (void)sched_ctx_id, (void)nimpl;
  return count();
}
double starpu_perfmodel_history_based_expected_perf(struct starpu_perfmodel* model, struct starpu_perfmodel_arch* arch,
                                                    uint32_t footprint) {
  (void)model, (void)arch, (void)footprint;
  return count();
}
double starpu_worker_get_relative_speedup(struct starpu_perfmodel_arch* perf_arch) {
  (void)perf_arch;
  return count();
}

static double by_worker(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task, (void)worker, (void)implementation;
  return count();
}
static double by_architecture(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task, (void)arch, (void)implementation;
  return count();
}

static void run(void* buffers[], void* argument) {
  (void)buffers;
  usleep((unsigned)(uintptr_t)argument);
  atomic_fetch_add(&ran, 1);
}

static struct starpu_perfmodel models[] = {
    {.type = STARPU_PER_WORKER, .worker_cost_function = by_worker, .symbol = "without_models_worker"},
    {.type = STARPU_PER_ARCH, .arch_cost_function = by_architecture, .symbol = "without_models_arch"},
    {.type = STARPU_HISTORY_BASED, .symbol = "without_models_history"}};

static struct starpu_codelet codelets[] = {{ANYWHERE_IN_TWO_WAYS(run, run), .name = "worker", .model = &models[0]},
                                           {ANYWHERE(run), .name = "architecture", .model = &models[1]},
                                           {ANYWHERE(run), .name = "history", .model = &models[2]}};

int main(int argc, char** argv) {
  alarm(100);
  const int should_ask = argc > 1 && strcmp(argv[1], "asked") == 0;
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  for (int wave = 0; wave < 2; wave++) { /* the second with samples of the first */
    for (int i = 0; i < kTasks; i++) submit(make_task(&codelets[i % 3], (void*)(uintptr_t)(200 + i % 5 * 100)));
    starpu_task_wait_for_all();
  }
  starpu_shutdown();
  check(ran == 2 * kTasks, "each task ran once");
  printf("models were asked %d times\n", (int)asked);
  check((asked != 0) == should_ask, should_ask ? "the models are asked" : "no model is asked");
  pass("without_models");
  return 0;
}
