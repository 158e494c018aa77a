/* Runs in SimGrid on a machine whose workers are all of one class, each with a memory of its own: pieces of data, each
 * worked on again and again. Wherever a piece is first, there it should stay: a copy takes longer than its task. */
#include "tests/sched_policies/live/live_support.h"

enum { kPieces = 12, kRounds = 20, kBytes = 32 << 20 };

static int ran, moves;
static int last_worker[kPieces];

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return 1000; /* microseconds */
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "millisecond"};
static struct starpu_codelet codelet = {
    .cuda_funcs = {never}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model, .name = "millisecond"};

/* On the worker that ran the task. */
static void finished(void* piece) {
  int* const last = piece;
  const int worker = starpu_worker_get_id();
  ran++;
  moves += *last >= 0 && *last != worker;
  *last = worker;
}

int main(void) {
  start();
  check(starpu_cpu_worker_get_count() == 0 && starpu_cuda_worker_get_count() > 1, "there are GPUs only");
  static starpu_data_handle_t pieces[kPieces];
  for (int i = 0; i < kPieces; i++) {
    last_worker[i] = -1;
    starpu_vector_data_register(&pieces[i], -1, 0, kBytes, 1);
  }
  codelet.modes[0] = STARPU_W;
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kPieces; i++) {
      struct starpu_task* task = make_task(&codelet, NULL);
      task->handles[0] = pieces[i];
      task->callback_func = finished;
      task->callback_arg = &last_worker[i];
      submit(task);
    }
    if (round == 0) starpu_task_wait_for_all();
    codelet.modes[0] = STARPU_RW;
  }
  starpu_task_wait_for_all();
  printf("%d of %d tasks ran elsewhere than the one before on the same piece\n", moves, ran);
  check(ran == kPieces * kRounds, "each task ran once");
  check(moves * 10 < ran, "data stay where they are");
  for (int i = 0; i < kPieces; i++) starpu_data_unregister(pieces[i]);
  starpu_shutdown();
  pass("several_memories");
  return 0;
}
