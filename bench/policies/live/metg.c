/* How short tasks may be under a policy: dependent tasks of one length after another, in the patterns of Task Bench
 * (Slaughter et al., SC 2020), under the policy that STARPU_SCHED names.
 * Usage: metg [STEPS [ROUNDS]]    default: 100 steps of at most kWidth tasks, 3 rounds, of which the best counts
 *
 * A task of step t at point p writes the number of p at t and reads numbers of step t - 1:
 *   no_comm         that of p
 *   stencil_1d      those of p - 1, p and p + 1
 *   fft             those of p and p +- 2^i, where i goes round with t
 *   tree            step t has 2^t points, up to all: that of p / 2; after that that of p
 *   random_nearest  that of p, and each of the four nearest to it with a chance of a half
 * Each step's numbers take the place of those of two steps before. A task computes a given number of multiplications
 * that depend on each other, which nothing but the processor's clock makes longer or shorter.
 * Prints one line for each pattern and length: the policy, the pattern, multiplications of a task, tasks, workers, and
 * of the best round the microseconds from the first submission to the last end, and those of processor time. The first
 * line is of independent tasks so long that no policy's cost shows ("peak"). metg.py makes the minimum effective task
 * granularity of that. */
#include <limits.h>
#include <malloc.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/policies/live/processor_time.h"

enum { kWidth = 16, kMostReads = 5, kLengths = 17, kShortest = 64, kLong = 1 << 20 /* multiplications */ };

enum pattern { no_comm, stencil_1d, fft, tree, random_nearest, kPatterns };
static const char* const names[kPatterns] = {"no_comm", "stencil_1d", "fft", "tree", "random_nearest"};

static volatile double sink[STARPU_NMAXWORKERS * 8]; /* a cache line for each worker */

static void compute(void* buffers[], void* argument) {
  (void)buffers;
  const unsigned multiplications = *(const unsigned*)argument;
  double value = 1.0000001;
  for (unsigned i = 0; i < multiplications; i++) value = value * 1.0000001;
  sink[starpu_worker_get_id_check() * 8] = value;
}

/* One codelet for each length, so that what is learnt of one says nothing of the next. */
static struct starpu_codelet codelets[kLengths];
static char codelet_names[kLengths][32];
static unsigned lengths[kLengths];
static struct starpu_codelet long_codelet = {.cpu_funcs = {compute}, .name = "long"};

static double numbers[2][kWidth];
static starpu_data_handle_t handles[2][kWidth];

static int width_at(enum pattern pattern, int step) { return pattern == tree && step < 4 ? 1 << step : kWidth; }

/* The same for every run. */
static int chance(unsigned step, unsigned point, unsigned neighbour) {
  unsigned hash = step * 2654435761U ^ point * 2246822519U ^ neighbour * 3266489917U;
  hash = (hash ^ hash >> 15) * 2246822519U;
  return (int)(hash >> 16 & 1U);
}

/* Fills `reads` with the points of the step before, and returns how many. */
static int reads_of(enum pattern pattern, int step, int point, int* reads) {
  int count = 0;
  if (step == 0) return 0;
  if (pattern == tree) {
    reads[count++] = width_at(tree, step - 1) < width_at(tree, step) ? point / 2 : point;
    return count;
  }
  reads[count++] = point;
  for (int away = 1; away < kWidth; away++) {
    for (int side = -1; side <= 1; side += 2) {
      const int other = point + side * away;
      const int nearest = pattern == stencil_1d && away == 1;
      const int butterfly = pattern == fft && away == 1 << step % 4;
      const int drawn =
          pattern == random_nearest && away <= 2 && chance((unsigned)step, (unsigned)point, (unsigned)other);
      if (other >= 0 && other < kWidth && (nearest || butterfly || drawn)) reads[count++] = other;
    }
  }
  return count;
}

/* Returns the number of tasks. */
static unsigned submit(enum pattern pattern, int steps, int length) {
  unsigned tasks = 0;
  for (int step = 0; step < steps; step++) {
    for (int point = 0; point < width_at(pattern, step); point++) {
      int reads[kMostReads];
      const int count = reads_of(pattern, step, point, reads);
      struct starpu_task* task = starpu_task_create();
      task->cl = &codelets[length];
      task->cl_arg = &lengths[length];
      task->nbuffers = count + 1;
      task->handles[0] = handles[step % 2][point];
      task->modes[0] = STARPU_W;
      for (int i = 0; i < count; i++) {
        task->handles[i + 1] = handles[(step + 1) % 2][reads[i]];
        task->modes[i + 1] = STARPU_R;
      }
      if (starpu_task_submit(task) != 0) exit(1);
      tasks++;
    }
  }
  return tasks;
}

/* Independent and long. */
static unsigned submit_long(void) {
  static unsigned length = kLong;
  for (int i = 0; i < kWidth; i++) {
    struct starpu_task* task = starpu_task_create();
    task->cl = &long_codelet;
    task->cl_arg = &length;
    if (starpu_task_submit(task) != 0) exit(1);
  }
  return kWidth;
}

/* `pattern` kPatterns: long tasks. */
static void measure(int pattern, int steps, int length, int rounds) {
  unsigned tasks = 0;
  double elapsed = 0, processor = 0;
  for (int round = 0; round < rounds; round++) {
    const double begin = microseconds(CLOCK_MONOTONIC), used = processor_microseconds();
    tasks = pattern == kPatterns ? submit_long() : submit((enum pattern)pattern, steps, length);
    starpu_task_wait_for_all();
    const double took = microseconds(CLOCK_MONOTONIC) - begin, uses = processor_microseconds() - used;
    if (round == 0 || took < elapsed) elapsed = took;
    if (round == 0 || uses < processor) processor = uses;
  }
  printf("%s %s %u %u %u %.1f %.1f\n", starpu_sched_get_sched_policy()->policy_name,
         pattern == kPatterns ? "peak" : names[pattern], pattern == kPatterns ? (unsigned)kLong : lengths[length],
         tasks, starpu_worker_get_count(), elapsed, processor);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  const int rounds = argc > 2 ? atoi(argv[2]) : 3;
  mallopt(M_TRIM_THRESHOLD, INT_MAX); /* as in task_cost.c */
  for (int length = 0; length < kLengths; length++) {
    /* Each second length is twice as long. */
    lengths[length] = (unsigned)(kShortest << length / 2) * (length % 2 ? 181U : 128U) / 128U;
    snprintf(codelet_names[length], sizeof(codelet_names[length]), "compute_%u", lengths[length]);
    codelets[length] = (struct starpu_codelet){
        .cpu_funcs = {compute}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = codelet_names[length]};
  }
  if (steps < 1 || rounds < 1 || starpu_init(NULL) != 0) return 1;
  find_worker_clocks();
  for (int i = 0; i < 2 * kWidth; i++)
    starpu_variable_data_register(&handles[i % 2][i / 2], STARPU_MAIN_RAM, (uintptr_t)&numbers[i % 2][i / 2],
                                  sizeof(double));
  measure(kPatterns, steps, 0, rounds);
  for (int pattern = 0; pattern < kPatterns; pattern++)
    for (int length = 0; length < kLengths; length++) measure(pattern, steps, length, rounds);
  for (int i = 0; i < 2 * kWidth; i++) starpu_data_unregister(handles[i % 2][i / 2]);
  starpu_shutdown();
  return 0;
}
