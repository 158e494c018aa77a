/* A sparse LU as PaStiX submits it, on cores alone: short tasks that share data, in a tree of fronts, under the policy
 * that STARPU_SCHED names.
 * Usage: multifrontal [PASSES [ROUNDS [SCALE [PRIORITIES]]]]    defaults: 60, 3, 1, 0 (1: tasks have priorities)
 * The tree is binary, with kLevels levels. A front of level l (leaves: 0) has widths[l] panels of SCALE times sizes[l]
 * numbers: in all 19 MB times SCALE. A task passes PASSES times over the numbers of its panels. For each panel, in
 * order, there are these tasks:
 * - factor reads and writes the panel.
 * - update reads the panel, and reads and writes another one: each later panel of the front, and one panel of each of
 *   the kAncestors next fronts on the way to the root. Updates of one panel may run in any order, one at a time
 *   (STARPU_COMMUTE).
 *
 * Prints one line: the policy, workers, tasks, and microseconds over tasks: from the first submission to the last end;
 * and of processor time, in tasks and in all (workers spin while they wait). The last two are of the round that used
 * least. */
#include <limits.h>
#include <malloc.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/policies/live/processor_time.h"

enum { kLevels = 10, kAncestors = 4, kMostPanels = 12 };
static const int widths[kLevels] = {1, 1, 1, 2, 2, 3, 4, 6, 8, 12};
static const unsigned sizes[kLevels] = {1024, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384};

static unsigned passes;
static double busy[STARPU_NMAXWORKERS * 8]; /* microseconds in tasks, a cache line for each worker */

static void factor(void* buffers[], void* argument) {
  (void)argument;
  const double begin = microseconds(CLOCK_THREAD_CPUTIME_ID);
  double* panel = (double*)STARPU_VECTOR_GET_PTR(buffers[0]);
  const unsigned size = STARPU_VECTOR_GET_NX(buffers[0]);
  for (unsigned pass = 0; pass < passes; pass++)
    for (unsigned i = 0; i < size; i++) panel[i] = panel[i] * 0.5 + 1;
  busy[starpu_worker_get_id_check() * 8] += microseconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void update(void* buffers[], void* argument) {
  (void)argument;
  const double begin = microseconds(CLOCK_THREAD_CPUTIME_ID);
  const double* source = (const double*)STARPU_VECTOR_GET_PTR(buffers[0]);
  double* target = (double*)STARPU_VECTOR_GET_PTR(buffers[1]);
  const unsigned size = STARPU_VECTOR_GET_NX(buffers[0]); /* the target is as large, or larger */
  for (unsigned pass = 0; pass < passes; pass++)
    for (unsigned i = 0; i < size; i++) target[i] = target[i] * 0.5 + source[i];
  busy[starpu_worker_get_id_check() * 8] += microseconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static struct starpu_codelet factors = {.cpu_funcs = {factor}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "factor"};
static struct starpu_codelet updates = {
    .cpu_funcs = {update}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW | STARPU_COMMUTE}, .name = "update"};

struct front {
  starpu_data_handle_t panels[kMostPanels];
};
static struct front* fronts[kLevels]; /* by level; of front f, the parent is f / 2 of the next level */
static int priorities;

static int fronts_of(int level) { return 1 << (kLevels - 1 - level); }

static void submit(struct starpu_codelet* codelet, starpu_data_handle_t one, starpu_data_handle_t other, int level) {
  struct starpu_task* task = starpu_task_create();
  task->cl = codelet;
  task->handles[0] = one;
  if (other != NULL) task->handles[1] = other;
  if (priorities) task->priority = kLevels - level; /* as PaStiX has them: the leaves first */
  if (starpu_task_submit(task) != 0) exit(1);
}

/* Returns the number of tasks. */
static unsigned submit_all(void) {
  unsigned tasks = 0;
  for (int level = 0; level < kLevels; level++) {
    for (int f = 0; f < fronts_of(level); f++) {
      const struct front* front = &fronts[level][f];
      for (int panel = 0; panel < widths[level]; panel++) {
        submit(&factors, front->panels[panel], NULL, level);
        tasks++;
        for (int later = panel + 1; later < widths[level]; later++, tasks++)
          submit(&updates, front->panels[panel], front->panels[later], level);
        for (int up = 1; up <= kAncestors && level + up < kLevels; up++, tasks++)
          submit(&updates, front->panels[panel], fronts[level + up][f >> up].panels[(panel + f) % widths[level + up]],
                 level);
      }
    }
  }
  return tasks;
}

int main(int argc, char** argv) {
  passes = argc > 1 ? (unsigned)atoi(argv[1]) : 60;
  const int rounds = argc > 2 ? atoi(argv[2]) : 3;
  const unsigned scale = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
  priorities = argc > 4 && atoi(argv[4]) != 0;
  mallopt(M_TRIM_THRESHOLD, INT_MAX); /* as in task_cost.c */
  if (passes == 0 || rounds < 1 || scale == 0 || starpu_init(NULL) != 0) return 1;
  find_worker_clocks();
  for (int level = 0; level < kLevels; level++) {
    fronts[level] = calloc((size_t)fronts_of(level), sizeof(struct front));
    for (int f = 0; f < fronts_of(level); f++) {
      for (int panel = 0; panel < widths[level]; panel++) {
        double* const numbers = calloc(scale * sizes[level], sizeof(double));
        starpu_vector_data_register(&fronts[level][f].panels[panel], STARPU_MAIN_RAM, (uintptr_t)numbers,
                                    scale * sizes[level], sizeof(double));
      }
    }
  }
  double elapsed = 0, processor = 0, alone = 0;
  unsigned tasks = 0;
  for (int round = 0; round < rounds; round++) {
    for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) busy[worker * 8] = 0;
    const double begin = microseconds(CLOCK_MONOTONIC), used = processor_microseconds();
    tasks = submit_all();
    starpu_task_wait_for_all();
    const double took = microseconds(CLOCK_MONOTONIC) - begin, uses = processor_microseconds() - used;
    if (round == 0 || took < elapsed) elapsed = took;
    if (round > 0 && uses >= processor) continue;
    processor = uses;
    alone = 0;
    for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) alone += busy[worker * 8];
  }
  printf("%s %u %u %.2f %.2f %.2f\n", starpu_sched_get_sched_policy()->policy_name, starpu_worker_get_count(), tasks,
         elapsed / tasks, alone / tasks, processor / tasks);
  for (int level = 0; level < kLevels; level++) {
    for (int f = 0; f < fronts_of(level); f++) {
      for (int panel = 0; panel < widths[level]; panel++) {
        void* const numbers = starpu_data_get_local_ptr(fronts[level][f].panels[panel]);
        starpu_data_unregister(fronts[level][f].panels[panel]);
        free(numbers);
      }
    }
    free(fronts[level]);
  }
  starpu_shutdown();
  return 0;
}
