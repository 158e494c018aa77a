/* Runs in SimGrid on StarPU's recorded machine: independent tasks and a chain, on CPU cores and GPUs. StarPU's own
 * model says how long each takes where; nothing is computed. Prints who ran what, the simulated time and a PASS line.
 * Under pats (unless the argument "any" is given), tasks that gain a lot must all run on GPUs and the CPU cores get
 * only those that gain little. */
#include "tests/sched_policies/live/live_support.h"

enum { kEach = 300, kChain = 50, kKinds = 3 };

/* Microseconds on a CPU core, and speedup of a GPU over it. */
static const double cpu_cost = 10000;
static const double speedup[kKinds] = {1.5, 6, 20};
static int ran[kKinds][2]; /* by kind and kind of device: 0 CPU core, 1 GPU */
static int chained = 0;

static double cost(int kind, struct starpu_perfmodel_arch* arch) {
  return arch->devices[0].type == STARPU_CPU_WORKER ? cpu_cost : cpu_cost / speedup[kind];
}

static double cost_0(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost(0, arch);
}

static double cost_1(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost(1, arch);
}

static double cost_2(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return cost(2, arch);
}

static struct starpu_perfmodel models[kKinds] = {
    {.type = STARPU_PER_ARCH, .arch_cost_function = cost_0, .symbol = "gains_1.5"},
    {.type = STARPU_PER_ARCH, .arch_cost_function = cost_1, .symbol = "gains_6"},
    {.type = STARPU_PER_ARCH, .arch_cost_function = cost_2, .symbol = "gains_20"}};

static struct starpu_codelet codelets[kKinds];

/* A task's callback runs on the worker that ran the task; the simulation runs one thread at a time. */
static void finished(void* kind) {
  ran[*(int*)kind][starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER]++;
}

static void link_finished(void* unused) {
  (void)unused;
  chained++;
}

static void submit_independent(void) {
  static int kinds[kKinds] = {0, 1, 2};
  starpu_pause();
  for (int i = 0; i < kEach * kKinds; i++) {
    struct starpu_task* task = make_task(&codelets[i % kKinds], NULL);
    task->callback_func = finished;
    task->callback_arg = &kinds[i % kKinds];
    submit(task);
  }
  starpu_resume();
}

static void submit_chain(void) {
  for (starpu_tag_t i = 1; i <= kChain; i++) {
    struct starpu_task* task = make_task(&codelets[i % kKinds], NULL);
    task->use_tag = 1;
    task->tag_id = i;
    task->callback_func = link_finished;
    if (i > 1) starpu_tag_declare_deps(i, 1, i - 1);
    submit(task);
  }
}

int main(int argc, char** argv) {
  const int any = argc > 1 && strcmp(argv[1], "any") == 0;
  for (int kind = 0; kind < kKinds; kind++) {
    starpu_codelet_init(&codelets[kind]);
    codelets[kind].cpu_funcs[0] = never;
    codelets[kind].cuda_funcs[0] = never;
    codelets[kind].model = &models[kind];
    codelets[kind].name = models[kind].symbol;
  }
  start();
  const double begin = starpu_timing_now();
  submit_independent();
  starpu_task_wait_for_all();
  const double took = (starpu_timing_now() - begin) * 1e-6;
  submit_chain();
  starpu_task_wait_for_all();

  for (int kind = 0; kind < kKinds; kind++) {
    printf("%-9s  cpu %3d  gpu %3d\n", codelets[kind].name, ran[kind][0], ran[kind][1]);
    check(ran[kind][0] + ran[kind][1] == kEach, "each task ran once");
  }
  check(chained == kChain, "the chain's length");
  printf("simulated seconds %.4f on %u workers\n", took, starpu_worker_get_count());
  if (!any && strcmp(getenv("STARPU_SCHED"), "pats") == 0) {
    check(ran[1][0] == 0 && ran[2][0] == 0, "tasks that gain a lot run on GPUs only");
    check(ran[0][0] > kEach / 4, "CPU cores run tasks that gain little");
  }
  starpu_shutdown();
  pass("simulated_app");
  return 0;
}
