/* Runs in SimGrid on StarPU's recorded machine: the operations of many tiles, which gain differently from a GPU, with
 * estimates that are wrong in a controlled manner (edc-2014 V-D). Until a task is taken, the performance model answers
 * with its time made longer or shorter by PERCENT, with equal chance for each task and kind of device. The simulator
 * then runs it for its true time. Every policy sees the same estimates, StarPU's own too. Prints the simulated time and
 * a PASS line; used by errors.cmake.
 * Usage: errors_app bag|chains PERCENT SEED
 *   bag     all operations at once
 *   chains  those of a tile one after another
 *   PERCENT is below 100, for then no time is 0 */
#include "tests/sched_policies/live/live_support.h"

enum { kTiles = 200, kOperations = 8, kKinds = 2 };

/* Milliseconds on a CPU core and speedup of a GPU over it: a few operations gain much and hold most of the work. */
static const struct {
  const char* name;
  double milliseconds;
  double speedup;
} operations[kOperations] = {
    {"rbc", 40, 12},       {"morph_open", 12, 1.6},   {"recon_to_nuclei", 60, 9}, {"area_threshold", 8, 1.2},
    {"fill_holes", 10, 2}, {"pre_watershed", 90, 18}, {"watershed", 50, 3},       {"bwlabel", 10, 1.1}};

struct job {
  unsigned tile, operation;
  int taken;
};
static struct job jobs[kTiles][kOperations];
static int ran;
static int chains;
static double wrong_by;
static uint64_t seed;

/* Whether the estimate of this job on this kind of device is too long; a coin that always falls the same way. */
static int too_long(const struct job* job, int kind) {
  uint64_t x = seed * 0x9E3779B97F4A7C15ULL + (job->tile * kOperations + job->operation) * kKinds + (unsigned)kind;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return (int)((x ^ x >> 31) & 1);
}

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)implementation;
  const struct job* job = task->cl_arg;
  const int kind = arch->devices[0].type != STARPU_CPU_WORKER;
  const double truth = 1000 * operations[job->operation].milliseconds / (kind ? operations[job->operation].speedup : 1);
  if (job->taken) return truth;
  return truth * (too_long(job, kind) ? 1 + wrong_by : 1 - wrong_by);
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "operation"};
static struct starpu_codelet codelets[kOperations];

static void taken(void* job) { ((struct job*)job)->taken = 1; }

static void finished(void* unused) {
  (void)unused;
  ran++;
}

static void submit_tile(unsigned tile) {
  for (unsigned operation = 0; operation < kOperations; operation++) {
    struct job* job = &jobs[tile][operation];
    job->tile = tile;
    job->operation = operation;
    struct starpu_task* task = make_task(&codelets[operation], job);
    task->prologue_callback_pop_func = taken;
    task->prologue_callback_pop_arg = job;
    task->callback_func = finished;
    task->use_tag = 1;
    task->tag_id = (starpu_tag_t)tile * kOperations + operation;
    if (chains && operation > 0) starpu_tag_declare_deps(task->tag_id, 1, task->tag_id - 1);
    submit(task);
  }
}

int main(int argc, char** argv) {
  check(argc == 4 && atof(argv[2]) >= 0 && atof(argv[2]) < 100, "usage: errors_app bag|chains PERCENT SEED");
  chains = strcmp(argv[1], "chains") == 0;
  wrong_by = atof(argv[2]) / 100;
  seed = (uint64_t)atoi(argv[3]);
  for (int i = 0; i < kOperations; i++) {
    starpu_codelet_init(&codelets[i]);
    codelets[i].cpu_funcs[0] = never;
    codelets[i].cuda_funcs[0] = never;
    codelets[i].model = &model;
    codelets[i].name = operations[i].name;
  }
  start();
  const double begin = starpu_timing_now();
  for (unsigned tile = 0; tile < kTiles; tile++) submit_tile(tile);
  starpu_task_wait_for_all();
  const double seconds = (starpu_timing_now() - begin) * 1e-6;
  check(ran == kTiles * kOperations, "each task ran once");
  printf("simulated %.6f s\n", seconds);
  starpu_shutdown();
  pass("errors_app");
  return 0;
}
