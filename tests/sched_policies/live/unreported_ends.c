/* Runs random graphs with tasks whose end StarPU does not report to the policy, or reports late and from elsewhere:
 *   redux     data in reduction mode: StarPU makes tasks of its own that combine the workers' parts
 *   copies    starpu_data_cpy: StarPU makes a task of its own for each copy
 *   end_deps  tasks that end only when another task has ended, on whatever worker that ran
 *   outside   tasks that end only when a thread that is no worker says so
 * Each task must run exactly once, and no graph may stop half-way. In real runs every value read must be the one that
 * the order of submission gives. In SimGrid a deadlock ends the program with 0: a check at exit makes that a failure.
 * Usage: unreported_ends KIND FIRST_SEED LAST_SEED */
#include <unistd.h>

#include "tests/sched_policies/live/live_support.h"

enum { kTasks = 120, kHandles = 6, kMostJobs = 3 * kTasks };
#ifdef STARPU_SIMGRID
enum { kLongest = 20000, kLength = 1 << 18 }; /* copies take time; the memory is never touched */
#else
enum { kLongest = 400, kLength = 4096 };
#endif

struct job {
  unsigned addend;
  unsigned expected; /* what a reading task must find */
  double microseconds, gain;
  int runs;
};

static struct job jobs[kMostJobs];
static int njobs, all_jobs, ended, passed, seed;
static atomic_int wrong_values;
static unsigned values[kHandles]; /* of each piece of data after what was submitted so far */
static starpu_data_handle_t handles[kHandles];
static struct starpu_task* unreleased[kTasks];
static int nunreleased;

static void at_exit(void) {
  if (passed) return;
  fprintf(stderr, "FAIL: the program ended with %d of %d tasks run (seed %d): a deadlock\n", ended, njobs, seed);
  fflush(stderr);
  _Exit(1);
}

static uint64_t state;

static unsigned draw(unsigned below) { return draw_from(&state, below); }

static unsigned* elements(void* buffer) { return (unsigned*)STARPU_VECTOR_GET_PTR(buffer); }

static void take_time(const struct job* job) {
  const double until = starpu_timing_now() + job->microseconds;
  while (starpu_timing_now() < until) {
  }
}

static void read_it(void* buffers[], void* argument) {
  const struct job* job = argument;
  take_time(job);
  for (int i = 0; i < kLength; i++) {
    if (elements(buffers[0])[i] != job->expected) atomic_fetch_add(&wrong_values, 1);
  }
}

static void change_it(void* buffers[], void* argument) {
  const struct job* job = argument;
  take_time(job);
  for (int i = 0; i < kLength; i++) elements(buffers[0])[i] = 3 * elements(buffers[0])[i] + job->addend;
}

static void add_to_it(void* buffers[], void* argument) {
  const struct job* job = argument;
  take_time(job);
  for (int i = 0; i < kLength; i++) elements(buffers[0])[i] += job->addend;
}

static void only_take_time(void* buffers[], void* argument) {
  (void)buffers;
  take_time(argument);
}

static void combine(void* buffers[], void* argument) {
  (void)argument;
  for (int i = 0; i < kLength; i++) elements(buffers[0])[i] += elements(buffers[1])[i];
}

static void begin_with_zero(void* buffers[], void* argument) { /* StarPU calls it in SimGrid too */
  (void)argument;
#ifdef STARPU_SIMGRID
  (void)buffers;
#else
  memset(elements(buffers[0]), 0, kLength * sizeof(unsigned));
#endif
}

#ifdef STARPATH_OPENCL
/* StarPU calls it outside a task. */
static void begin_with_zero_on_device(void* buffers[], void* argument) {
  const enum starpu_data_access_mode written = STARPU_W;
  starpath_call_mapped(begin_with_zero, buffers, argument, 1, &written, "zero");
}
#else
#define begin_with_zero_on_device NULL
#endif

/* GPUs are faster; in real runs with two workers, worker 1 takes their place. */
static double cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  const struct job* job = task->cl_arg;
  (void)implementation;
  if (job == NULL) return 50; /* to combine parts */
  const int fast =
      starpu_worker_get_type((int)worker) != STARPU_CPU_WORKER || (starpu_cpu_worker_get_count() > 1 && worker == 1);
  return job->microseconds / (fast ? job->gain : 1);
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_WORKER, .worker_cost_function = cost, .symbol = "unreported_ends"};
#define CODELET(function, access, flags)                                                                   \
  {                                                                                                        \
    ANYWHERE(function), .cuda_funcs = {function}, .cuda_flags = {flags}, .nbuffers = 1, .modes = {access}, \
                        .model = &model, .name = #function                                                 \
  }
/* A GPU asks for its next task while it runs an asynchronous one. */
static struct starpu_codelet reading = CODELET(read_it, STARPU_R, STARPU_CUDA_ASYNC),
                             changing = CODELET(change_it, STARPU_RW, STARPU_CUDA_ASYNC),
                             adding = CODELET(add_to_it, STARPU_REDUX, 0);
static struct starpu_codelet lone = {ANYWHERE(only_take_time), .cuda_funcs = {only_take_time}, .model = &model,
                                     .name = "only_take_time"};
static struct starpu_codelet combining = {ANYWHERE(combine), .cuda_funcs = {combine},
                                          .nbuffers = 2,     .modes = {STARPU_RW | STARPU_COMMUTE, STARPU_R},
                                          .model = &model,   .name = "combine"};
static struct starpu_codelet zero = {.cpu_funcs = {begin_with_zero},
                                     .opencl_funcs = {begin_with_zero_on_device},
                                     .cuda_funcs = {begin_with_zero},
                                     .nbuffers = 1,
                                     .modes = {STARPU_W},
                                     .name = "zero"};

/* When the task has ended, wherever that is said. */
static void ended_now(void* argument) {
  struct job* job = argument;
  __atomic_fetch_add(&job->runs, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
}

static struct starpu_task* draw_task(struct starpu_codelet* codelet) {
  struct job* job = &jobs[njobs++];
  *job = (struct job){.addend = draw(1000), .microseconds = 20 + draw(kLongest), .gain = 0.5 + draw(200) / 10.0};
  struct starpu_task* task = make_task(codelet, job);
  task->epilogue_callback_func = ended_now;
  task->epilogue_callback_arg = job;
  task->priority = (int)draw(3);
  return task;
}

static struct starpu_task* draw_data_task(int redux) {
  const unsigned which = draw(kHandles), kind = draw(redux ? 6 : 2);
  struct starpu_task* task = draw_task(kind == 0 ? &reading : kind == 1 ? &changing : &adding);
  struct job* job = task->cl_arg;
  task->handles[0] = handles[which];
  job->expected = values[which];
  if (kind == 1) values[which] *= 3;
  if (kind != 0) values[which] += job->addend;
  return task;
}

static void submit_step(const char* kind) {
  if (strcmp(kind, "copies") == 0 && draw(2) == 0) {
    const unsigned from = draw(kHandles), to = draw(kHandles);
    check(starpu_data_cpy(handles[to], handles[from], 1, NULL, NULL) == 0, "starpu_data_cpy");
    values[to] = values[from];
    return;
  }
  struct starpu_task* task = draw_data_task(strcmp(kind, "redux") == 0);
  if (strcmp(kind, "end_deps") == 0 && draw(2) == 0) {
    struct starpu_task* last = draw_task(&lone);
    starpu_task_declare_end_deps(task, 1, last);
    submit(task);
    submit(last);
    return;
  }
  if (strcmp(kind, "outside") == 0 && draw(4) == 0) {
    starpu_task_end_dep_add(task, 1);
    unreleased[nunreleased++] = task;
  }
  submit(task);
}

static void run_graph(const char* kind) {
  const int paused = seed % 2; /* all are queued before the first is taken, or tasks run while others arrive */
  state = (uint64_t)seed * 0x9E3779B97F4A7C15ULL + 1;
  njobs = ended = nunreleased = 0;
  if (paused) starpu_pause();
  for (int i = 0; i < kTasks; i++) submit_step(kind);
  if (paused) starpu_resume();
  for (int i = 0; i < nunreleased; i++) {
    starpu_sleep(0.0005f);
    starpu_task_end_dep_release(unreleased[i]);
  }
  check(starpu_task_wait_for_all() == 0, "wait for all");
  check(atomic_load(&wrong_values) == 0, "every value is the one that the order of submission gives");
  for (int i = 0; i < njobs; i++) check(jobs[i].runs == 1, "each task ran exactly once");
  all_jobs += njobs;
}

int main(int argc, char** argv) {
  alarm(100);
  check(argc == 4, "usage: unreported_ends redux|copies|end_deps|outside FIRST_SEED LAST_SEED");
#ifndef STARPU_SIMGRID
  setenv("STARPU_NCUDA", "0", 1); /* the GPUs' kernels are for the simulator */
#endif
  start();
  atexit(at_exit);
  void* memories[kHandles];
  for (unsigned i = 0; i < kHandles; i++) {
    check(starpu_malloc(&memories[i], kLength * sizeof(unsigned)) == 0, "memory");
#ifndef STARPU_SIMGRID
    for (int j = 0; j < kLength; j++) ((unsigned*)memories[i])[j] = i;
#endif
    values[i] = i;
    starpu_vector_data_register(&handles[i], STARPU_MAIN_RAM, (uintptr_t)memories[i], kLength, sizeof(unsigned));
    starpu_data_set_reduction_methods(handles[i], &combining, &zero);
  }
  for (seed = atoi(argv[2]); seed <= atoi(argv[3]); seed++) run_graph(argv[1]);
  for (int i = 0; i < kHandles; i++) {
    starpu_data_unregister(handles[i]);
    starpu_free_noflag(memories[i], kLength * sizeof(unsigned));
  }
  starpu_shutdown();
  passed = 1;
  printf("%d tasks\n", all_jobs);
  pass("unreported_ends");
  return 0;
}
