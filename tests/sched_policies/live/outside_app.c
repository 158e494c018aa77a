/* A program that knows StarPU only. It is not linked with Starpath and was not written for it: vectors are scaled and
 * summed through chains of dependent tasks, and every number is checked. Prints one PASS line when all is right. */
#include <unistd.h>

#include "tests/sched_policies/live/live_support.h"

enum { kVectors = 32, kLength = 64, kRounds = 40, kChain = 10000 };

static void scale_cpu(void* buffers[], void* argument) {
  float* vector = (float*)STARPU_VECTOR_GET_PTR(buffers[0]);
  unsigned length = STARPU_VECTOR_GET_NX(buffers[0]);
  float factor;
  starpu_codelet_unpack_args(argument, &factor);
  for (unsigned i = 0; i < length; i++) vector[i] = vector[i] * factor + 1.0F;
}

static void add_cpu(void* buffers[], void* argument) {
  (void)argument;
  float* sum = (float*)STARPU_VECTOR_GET_PTR(buffers[0]);
  const float* other = (const float*)STARPU_VECTOR_GET_PTR(buffers[1]);
  unsigned length = STARPU_VECTOR_GET_NX(buffers[0]);
  for (unsigned i = 0; i < length; i++) sum[i] += other[i];
}

static unsigned long chained = 0; /* the chain runs its tasks one after another, so it needs no lock */

static void count_cpu(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  chained++;
}

static struct starpu_codelet scale_codelet = {ANYWHERE(scale_cpu), .nbuffers = 1, .modes = {STARPU_RW},
                                              .name = "scale"};
static struct starpu_codelet add_codelet = {ANYWHERE(add_cpu), .nbuffers = 2, .modes = {STARPU_RW, STARPU_R},
                                            .name = "add"};
static struct starpu_codelet count_codelet = {ANYWHERE(count_cpu), .name = "count"};

static float data[kVectors][kLength];

static void run_vectors(void) {
  starpu_data_handle_t handles[kVectors];
  for (int v = 0; v < kVectors; v++) {
    for (int i = 0; i < kLength; i++) data[v][i] = (float)v;
    starpu_vector_data_register(&handles[v], STARPU_MAIN_RAM, (uintptr_t)data[v], kLength, sizeof(float));
  }
  const float half = 0.5F;
  for (int round = 0; round < kRounds; round++) {
    for (int v = 0; v < kVectors; v++) {
      check(starpu_task_insert(&scale_codelet, STARPU_RW, handles[v], STARPU_VALUE, &half, sizeof(half),
                               STARPU_PRIORITY, v % 3, 0) == 0,
            "submit scale");
    }
    for (int v = 1; v < kVectors; v += 2) {
      check(starpu_task_insert(&add_codelet, STARPU_RW, handles[v], STARPU_R, handles[v - 1], 0) == 0, "submit add");
    }
  }
  starpu_task_wait_for_all();
  for (int v = 0; v < kVectors; v++) starpu_data_unregister(handles[v]);

  float even = 0;
  for (int v = 0; v < kVectors; v++) {
    float expected = (float)v;
    float left = (float)(v - 1);
    for (int round = 0; round < kRounds; round++) {
      expected = expected * half + 1.0F;
      left = left * half + 1.0F;
      if (v % 2 == 1) expected += left;
    }
    even += expected;
    for (int i = 0; i < kLength; i++) check(data[v][i] == expected, "a vector's value");
  }
  check(even > 0, "the values' sum");
}

static void run_chain(void) {
  for (starpu_tag_t i = 1; i <= kChain; i++) {
    struct starpu_task* task = starpu_task_create();
    task->cl = &count_codelet;
    task->use_tag = 1;
    task->tag_id = i;
    if (i > 1) starpu_tag_declare_deps(i, 1, i - 1);
    check(starpu_task_submit(task) == 0, "submit the chain");
  }
  check(starpu_task_wait_for_all() == 0, "wait for the chain");
  check(chained == kChain, "the chain's length");
}

int main(void) {
  alarm(60); /* a run that hangs fails */
  start();
  run_vectors();
  run_chain();
  starpu_shutdown();
  pass("outside_app");
  return 0;
}
