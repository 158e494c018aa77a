/* Runs in SimGrid on StarPU's recorded machine: many tiles, each a chain of steps that read and write it, tasks of
 * different length. Prints what crossed the buses and the simulated time, and a PASS line. Used with and without
 * STARPATH_LOCALITY and STARPATH_PREFETCH, by gains.cmake. Usage: transfers_app STEPS (1: no data is ever reused). */
#include "tests/sched_policies/live/live_support.h"

enum { kTiles = 240, kMostSteps = 8, kBytes = 16 << 20 };

static int ran = 0;

/* A step's length differs from tile to tile, four to one; a GPU is 20 times a CPU core. */
static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)implementation;
  const double on_cpu = 40000.0 * (double)(1 + (size_t)task->cl_arg % 4);
  return arch->devices[0].type == STARPU_CPU_WORKER ? on_cpu : on_cpu / 20;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "tile_step"};

static struct starpu_codelet step = {.cpu_funcs = {never},
                                     .cuda_funcs = {never},
                                     .nbuffers = 1,
                                     .modes = {STARPU_RW},
                                     .model = &model,
                                     .name = "tile_step"};

static void finished(void* unused) {
  (void)unused;
  ran++;
}

static double moved_megabytes(void) {
  double bytes = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); bus++) {
    struct starpu_profiling_bus_info info;
    check(starpu_bus_get_profiling_info(bus, &info) == 0, "bus profile");
    bytes += (double)info.transferred_bytes;
  }
  return bytes / (1 << 20);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 1;
  check(steps >= 1 && steps <= kMostSteps, "STEPS from 1 to 8");
  start();
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  starpu_data_handle_t tiles[kTiles];
  for (int i = 0; i < kTiles; i++) {
    void* memory = NULL;
    check(starpu_malloc(&memory, kBytes) == 0, "memory");
    starpu_vector_data_register(&tiles[i], STARPU_MAIN_RAM, (uintptr_t)memory, kBytes, 1);
  }
  moved_megabytes(); /* from here on */
  const double begin = starpu_timing_now();
  starpu_pause();
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < kTiles; i++) {
      struct starpu_task* task = make_task(&step, (void*)(size_t)(i * 7 + s));
      task->handles[0] = tiles[i];
      task->callback_func = finished;
      submit(task);
    }
  }
  starpu_resume();
  starpu_task_wait_for_all();
  const double took = (starpu_timing_now() - begin) * 1e-6;
  check(ran == steps * kTiles, "each task ran once");
  printf("moved %.0f MiB, simulated %.6f s\n", moved_megabytes(), took);
  for (int i = 0; i < kTiles; i++) starpu_data_unregister(tiles[i]);
  starpu_shutdown();
  pass("transfers_app");
  return 0;
}
