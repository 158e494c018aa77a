/* odds: how many tasks an accelerator requests ahead, where data come over a link that this program makes up. It takes
 * the place of StarPU's functions that start a transfer and that say whether data are there. Transfers are one after
 * the other. A task that was handed out before its data had come waits for them, as in StarPU's drivers. Usage:
 * requests_ahead MILLISECONDS LEAST MOST MILLISECONDS  of a transfer; a task takes 10 LEAST, MOST   tasks that worker 1
 * holds ahead, on average over the second half of the tasks */
#include <pthread.h>

#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 60, kTaskMicroseconds = 10000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double transfer;         /* microseconds */
static double link_free;        /* when the last transfer ends */
static double comes[kTasks];    /* when a task's data are there; 0: nobody asked for them */
static int ahead, started, sum; /* requested and not started; how many started; ahead, summed over the second half */
static int numbers[kTasks];

static void fetch(int task) {
  const double now = starpu_timing_now();
  link_free = (link_free > now ? link_free : now) + transfer;
  comes[task] = link_free;
}

int starpu_prefetch_task_input_for(struct starpu_task* task, unsigned worker) {
  (void)worker;
  pthread_mutex_lock(&mutex);
  fetch(*(int*)task->cl_arg);
  ahead++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

void starpu_data_query_status(starpu_data_handle_t handle, int node, int* allocated, int* valid, int* requested) {
  (void)node;
  pthread_mutex_lock(&mutex);
  const double when = comes[*(int*)starpu_data_get_user_data(handle)];
  *allocated = *requested = when != 0;
  *valid = when != 0 && when <= starpu_timing_now();
  pthread_mutex_unlock(&mutex);
}

static void wait_for_data(void* number) {
  const int task = *(int*)number;
  pthread_mutex_lock(&mutex);
  if (comes[task] == 0)
    fetch(task);
  else
    ahead--;
  if (++started > kTasks / 2) sum += ahead;
  const double rest = comes[task] - starpu_timing_now();
  pthread_mutex_unlock(&mutex);
  if (rest > 0) usleep((useconds_t)rest);
}

static void compute(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  usleep(kTaskMicroseconds);
}

static int only_on_worker_1(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)task;
  (void)implementation;
  return worker == 1;
}

static struct starpu_perfmodel model = {.type = STARPU_HISTORY_BASED, .symbol = "requests_ahead"};
/* As if GPUs could run it too: the transfers of other tasks are not the accelerator's to start. */
static struct starpu_codelet codelet = {.cpu_funcs = {compute},
                                        .cuda_funcs = {never},
                                        .can_execute = only_on_worker_1,
                                        .nbuffers = 1,
                                        .modes = {STARPU_R},
                                        .model = &model,
                                        .name = "requests_ahead"};

int main(int argc, char** argv) {
  check(argc == 4, "usage: requests_ahead MILLISECONDS LEAST MOST");
  transfer = 1000 * atof(argv[1]);
  start();
  static char data[kTasks];
  starpu_data_handle_t handles[kTasks];
  starpu_pause();
  for (int i = 0; i < kTasks; i++) {
    numbers[i] = i;
    starpu_variable_data_register(&handles[i], STARPU_MAIN_RAM, (uintptr_t)&data[i], 1);
    starpu_data_set_user_data(handles[i], &numbers[i]);
    struct starpu_task* task = make_task(&codelet, &numbers[i]);
    task->handles[0] = handles[i];
    task->prologue_callback_pop_func = wait_for_data;
    task->prologue_callback_pop_arg = &numbers[i];
    submit(task);
  }
  starpu_resume();
  starpu_task_wait_for_all();
  for (int i = 0; i < kTasks; i++) starpu_data_unregister(handles[i]);
  starpu_shutdown();
  check(started == kTasks, "each task ran once");
  const double mean = 2.0 * sum / kTasks;
  printf("%.2f tasks ahead\n", mean);
  fflush(stdout); /* a failed check ends the program at once */
  check(mean >= atof(argv[2]) && mean <= atof(argv[3]), "the window is the time of a request over that of a task");
  pass("requests_ahead");
  return 0;
}
