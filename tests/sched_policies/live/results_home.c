/* Runs in SimGrid on StarPU's recorded machine with one core: tasks that GPUs alone can run, whose results a task reads
 * that the core alone can run. Each result has to be on its way home when the core comes to it, under every policy:
 * StarPU starts such copies itself unless a policy says that it does. */
#include "tests/sched_policies/live/live_support.h"

enum { kTiles = 60, kBytes = 4 << 20 };

static const double kOnCore = 1000, kOnGpu = 300; /* microseconds; a copy takes about 700 */

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return arch->devices[0].type == STARPU_CPU_WORKER ? kOnCore : kOnGpu;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "results_home"};
static struct starpu_codelet make = {
    .cuda_funcs = {never}, .nbuffers = 1, .modes = {STARPU_W}, .model = &model, .name = "make"};
static struct starpu_codelet look = {
    .cpu_funcs = {never}, .nbuffers = 1, .modes = {STARPU_R}, .model = &model, .name = "look"};

int main(void) {
  start();
  check(starpu_cpu_worker_get_count() == 1, "one core");
  starpu_data_handle_t tiles[kTiles];
  for (int i = 0; i < kTiles; i++) {
    void* memory = NULL;
    check(starpu_malloc(&memory, kBytes) == 0, "memory");
    starpu_vector_data_register(&tiles[i], STARPU_MAIN_RAM, (uintptr_t)memory, kBytes, 1);
  }
  const double begin = starpu_timing_now();
  for (int i = 0; i < kTiles; i++) {
    struct starpu_task* made = make_task(&make, NULL);
    made->handles[0] = tiles[i];
    submit(made);
    struct starpu_task* looked = make_task(&look, NULL);
    looked->handles[0] = tiles[i];
    submit(looked);
  }
  starpu_task_wait_for_all();
  const double took = starpu_timing_now() - begin;
  printf("%.1f ms\n", took * 1e-3);
  fflush(stdout);
  check(took < 1.15 * kTiles * kOnCore, "the core does not wait for copies");
  for (int i = 0; i < kTiles; i++) starpu_data_unregister(tiles[i]);
  starpu_shutdown();
  pass("results_home");
  return 0;
}
