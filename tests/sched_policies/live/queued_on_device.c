/* Runs in SimGrid on StarPU's recorded machine: GPUs are given a task while they run another one, and when that ends
 * their drivers are now and then busy with its callback, for longer than the next task takes. The trace tells right
 * times, and of which times StarPU cannot tell; what is expected of the tasks is what they take. Needs an estimator
 * that only learns. */
#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 300, kLength = 5000 /* microseconds on a GPU */, kSlower = 20 /* times, on a core */ };

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)implementation;
  return arch->devices[0].type == STARPU_CPU_WORKER ? kLength * kSlower : kLength;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "five"};
static struct starpu_codelet codelet = {
    .cpu_funcs = {never}, .cuda_funcs = {never}, .cuda_flags = {STARPU_CUDA_ASYNC}, .model = &model, .name = "five"};

/* By the driver of the worker that ran the task. */
static void be_busy_now_and_then(void* unused) {
  static int calls;
  (void)unused;
  if (++calls % 4 == 0) starpu_sleep(2 * kLength * 1e-6f);
}

/* Every event of a task is a line of the trace. */
static void check_trace(const char* file) {
  char line[1000];
  int tasks = 0, unsure = 0, expected = 0, expected_rightly = 0;
  FILE* trace = fopen(file, "r");
  check(trace != NULL, "the trace is there");
  while (fgets(line, sizeof(line), trace) != NULL) {
    const char* const duration = strstr(line, "\"dur\":");
    if (duration == NULL) continue;
    tasks++;
    const double took = atof(duration + strlen("\"dur\":"));
    if (strstr(line, "\"unsure\":true") != NULL) {
      unsure++;
    } else {
      if (took < 0.66 * kLength) fprintf(stderr, "a task took %g us\n", took);
      check(took > 0.66 * kLength && (took < 2.01 * kLength || took > kLength * kSlower / 2),
            "a task took what it takes, or the trace says that this is not sure");
    }
    const char* const expectation = strstr(line, "\"expected_us\":");
    if (expectation == NULL || took > kLength * kSlower / 2) continue;
    const double on_gpu = atof(expectation + strlen("\"expected_us\":"));
    expected++;
    expected_rightly += on_gpu > 0.66 * kLength && on_gpu < 2.01 * kLength;
  }
  fclose(trace);
  printf("%d tasks, unsure times of %d; a GPU expected a time of %d, and rightly of %d\n", tasks, unsure, expected,
         expected_rightly);
  check(tasks == kTasks, "the trace holds every task");
  check(expected > kTasks / 2 && expected_rightly == expected, "what is expected of a task is what it takes");
}

int main(void) {
  char file[] = "/tmp/starpath-trace-XXXXXX";
  check(close(mkstemp(file)) == 0, "a file for the trace");
  setenv("STARPATH_TRACE", file, 1);
  start();
  for (int i = 0; i < kTasks; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    task->callback_func = be_busy_now_and_then;
    submit(task);
  }
  starpu_task_wait_for_all();
  starpu_shutdown();
  check_trace(file);
  unlink(file);
  pass("queued_on_device");
  return 0;
}
