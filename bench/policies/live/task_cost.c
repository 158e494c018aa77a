/* What a scheduling policy costs per task: many empty tasks under the policy that STARPU_SCHED names.
 * Usage: task_cost [TASKS [ROUNDS [CHAINS]]]. They are independent and use no data, or, with CHAINS above 0, form so
 * many chains, each on a number that its tasks write. Prints one line: the policy, the number of workers, and the best
 * round's microseconds a task
 *   - from the first submission to the last end, with the workers running: what a user waits;
 *   - of processor time to submit them all while the workers pause, so that all of them queue up;
 *   - of processor time to run them all after that.
 * The last two hold on a machine that does other things too. */
#include <limits.h>
#include <malloc.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void nothing(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
}

static struct starpu_codelet empty = {.cpu_funcs = {nothing}, .name = "empty"};
static struct starpu_codelet chained = {.cpu_funcs = {nothing}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "chained"};

static unsigned chains;
static starpu_data_handle_t* numbers;

static double microseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void submit(unsigned tasks) {
  for (unsigned i = 0; i < tasks; i++) {
    struct starpu_task* task = starpu_task_create();
    task->cl = chains > 0 ? &chained : &empty;
    if (chains > 0) task->handles[0] = numbers[i % chains];
    if (starpu_task_submit(task) != 0) exit(1);
  }
}

static void keep_smaller(double* best, double time) {
  if (*best == 0 || time < *best) *best = time;
}

int main(int argc, char** argv) {
  const unsigned tasks = argc > 1 ? (unsigned)atoi(argv[1]) : 65536;
  const int rounds = argc > 2 ? atoi(argv[2]) : 6;
  chains = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
  /* Freed memory stays: how often the kernel gives and takes it hangs on what lies at the heap's end, not on policies.
   */
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  if (tasks == 0 || rounds < 1 || starpu_init(NULL) != 0) return 1;
  int* const values = calloc(chains + 1, sizeof(*values));
  numbers = calloc(chains + 1, sizeof(*numbers));
  for (unsigned i = 0; i < chains; i++)
    starpu_variable_data_register(&numbers[i], STARPU_MAIN_RAM, (uintptr_t)&values[i], sizeof(values[i]));
  double together = 0;
  double push = 0;
  double pop = 0;
  for (int round = 0; round < rounds; round++) {
    const double begin = microseconds(CLOCK_MONOTONIC);
    submit(tasks);
    starpu_task_wait_for_all();
    keep_smaller(&together, microseconds(CLOCK_MONOTONIC) - begin);

    starpu_pause();
    const double first = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    submit(tasks);
    const double queued = microseconds(CLOCK_PROCESS_CPUTIME_ID);
    starpu_resume();
    starpu_task_wait_for_all();
    keep_smaller(&push, queued - first);
    keep_smaller(&pop, microseconds(CLOCK_PROCESS_CPUTIME_ID) - queued);
  }
  printf("%s %u %.4f %.4f %.4f\n", starpu_sched_get_sched_policy()->policy_name, starpu_worker_get_count(),
         together / tasks, push / tasks, pop / tasks);
  for (unsigned i = 0; i < chains; i++) starpu_data_unregister(numbers[i]);
  starpu_shutdown();
  free(numbers);
  free(values);
  return 0;
}
