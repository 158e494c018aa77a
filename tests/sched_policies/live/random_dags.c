/* Runs random DAGs in SimGrid on StarPU's recorded machine, one after another. Their tasks are for CPU cores, GPUs,
 * both or a few workers; they have data, priorities, and estimates that are known or not. Checks that each task runs
 * exactly once, where it may and after those it depends on. A deadlock makes SimGrid end the program with 0: a check at
 * exit makes that a failure, and an alarm ends a run that goes on for ever. Usage: random_dags FIRST_SEED LAST_SEED |
 * random_dags stuck (one task waits for a tag that nobody sets) */
#include <math.h>
#include <unistd.h>

#include "tests/sched_policies/live/live_support.h"

enum { kMostJobs = 300, kMostBefore = 3, kHandles = 8 };

struct job {
  int number;
  int before[kMostBefore]; /* jobs that must have run */
  int nbefore;
  unsigned where;
  uint32_t workers; /* 0: all that `where` allows */
  double cpu_microseconds;
  double gain;
  int known; /* whether the model knows the time before the task is taken */
  int taken;
  int runs;
};

static struct job jobs[kMostJobs];
static int njobs, finished_jobs, seed;
static const char* trouble; /* the first rule that was broken */
static int passed;

static void at_exit(void) {
  if (passed) return;
  fprintf(stderr, "FAIL: the program ended with %d of %d tasks run (seed %d): a deadlock\n", finished_jobs, njobs,
          seed);
  fflush(stderr);
  _Exit(1);
}

static uint64_t state;

static unsigned draw(unsigned below) { return draw_from(&state, below); }

/* The simulator runs a task for as long as the model says then, so the model must know the time of a taken task. */
static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  const struct job* job = task->cl_arg;
  if (!job->known && !job->taken) return NAN;
  const double here = job->cpu_microseconds / (arch->devices[0].type == STARPU_CPU_WORKER ? 1 : job->gain);
  return implementation == 0 ? here : here / 2;
}

static void taken(void* job) { ((struct job*)job)->taken = 1; }

/* Runs on the worker that ran the task, before the tasks that wait for it are released. */
static void finished(void* argument) {
  struct job* job = argument;
  const int worker = starpu_worker_get_id();
  const unsigned type = starpu_worker_get_type(worker) == STARPU_CPU_WORKER ? STARPU_CPU : STARPU_CUDA;
  job->runs++;
  finished_jobs++;
  if (job->runs != 1) trouble = "a task ran twice";
  if ((job->where & type) == 0) trouble = "a task ran on the wrong kind of worker";
  if (job->workers != 0 && (job->workers >> worker & 1) == 0) trouble = "a task ran on a worker not in its list";
  for (int i = 0; i < job->nbefore; i++) {
    if (jobs[job->before[i]].runs != 1) trouble = "a task ran before one that it depends on";
  }
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "random"};
static struct starpu_codelet codelets[3] = {
    {.cpu_funcs = {never}, .cuda_funcs = {never}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .model = &model, .name = "a"},
    {.cpu_funcs = {never, never},
     .cuda_funcs = {never},
     .nbuffers = STARPU_VARIABLE_NBUFFERS,
     .model = &model,
     .name = "b"},
    {.cpu_funcs = {never},
     .cuda_funcs = {never, never},
     .nbuffers = STARPU_VARIABLE_NBUFFERS,
     .model = &model,
     .name = "c"}};

static void draw_job(struct job* job, int number) {
  static const unsigned places[] = {STARPU_CPU | STARPU_CUDA, STARPU_CPU | STARPU_CUDA, STARPU_CPU, STARPU_CUDA};
  memset(job, 0, sizeof(*job));
  job->number = number;
  job->where = places[draw(4)];
  if (job->where == (STARPU_CPU | STARPU_CUDA) && draw(4) == 0) {
    job->workers = 1U << draw(starpu_worker_get_count()) | 1U << draw(starpu_worker_get_count());
  }
  job->cpu_microseconds = 100 + draw(20000);
  job->gain = 0.5 + draw(200) / 10.0;
  job->known = draw(4) != 0;
  if (number == 0) return;
  for (job->nbefore = (int)draw(kMostBefore + 1); job->nbefore > number; job->nbefore--) {
  }
  for (int i = 0; i < job->nbefore; i++) job->before[i] = (int)draw((unsigned)number);
}

static starpu_tag_t tag_of(int number) { return (starpu_tag_t)seed * kMostJobs + (starpu_tag_t)number; }

static void submit_job(struct job* job, starpu_data_handle_t* handles) {
  struct starpu_task* task = make_task(&codelets[draw(3)], job);
  task->where = (int32_t)job->where;
  task->priority = (int)draw(3);
  if (job->workers != 0) {
    task->workerids = &job->workers;
    task->workerids_len = 1;
  }
  task->prologue_callback_pop_func = taken;
  task->prologue_callback_pop_arg = job;
  task->epilogue_callback_func = finished;
  task->epilogue_callback_arg = job;
  task->nbuffers = (int)draw(3);
  const unsigned first = draw(kHandles);
  for (int i = 0; i < task->nbuffers; i++) {
    task->handles[i] = handles[(first + (unsigned)i) % kHandles];
    task->modes[i] = draw(4) == 0 ? STARPU_RW : STARPU_R;
  }
  task->use_tag = 1;
  task->tag_id = tag_of(job->number);
  starpu_tag_t before[kMostBefore];
  for (int i = 0; i < job->nbefore; i++) before[i] = tag_of(job->before[i]);
  if (job->nbefore != 0) starpu_tag_declare_deps_array(task->tag_id, (unsigned)job->nbefore, before);
  submit(task);
}

static void run_dag(starpu_data_handle_t* handles) {
  const int paused = seed % 2; /* all are queued before the first is taken, or tasks run while others arrive */
  state = (uint64_t)seed * 0x9E3779B97F4A7C15ULL + 1;
  njobs = 100 + (int)draw(kMostJobs - 100);
  finished_jobs = 0;
  if (paused) starpu_pause();
  for (int i = 0; i < njobs; i++) {
    draw_job(&jobs[i], i);
    submit_job(&jobs[i], handles);
  }
  if (paused) starpu_resume();
  check(starpu_task_wait_for_all() == 0, "wait for all");
  if (trouble != NULL) fprintf(stderr, "seed %d: %s\n", seed, trouble);
  check(trouble == NULL, "every rule holds");
  for (int i = 0; i < njobs; i++) check(jobs[i].runs == 1, "each task ran exactly once");
}

int main(int argc, char** argv) {
  alarm(100);
  start();
  check(starpu_cpu_worker_get_count() == 9 && starpu_cuda_worker_get_count() == 3, "9 CPU and 3 GPU workers");
  atexit(at_exit);
  starpu_data_handle_t handles[kHandles];
  for (unsigned i = 0; i < kHandles; i++) {
    void* memory = NULL;
    check(starpu_malloc(&memory, (i + 1) << 20) == 0, "memory");
    starpu_vector_data_register(&handles[i], STARPU_MAIN_RAM, (uintptr_t)memory, (i + 1) << 20, 1);
  }
  if (argc == 2 && strcmp(argv[1], "stuck") == 0) {
    njobs = 1;
    draw_job(&jobs[0], 0);
    starpu_tag_declare_deps(tag_of(0), 1, tag_of(1));
    submit_job(&jobs[0], handles);
    starpu_task_wait_for_all();
  }
  check(argc == 3, "usage: random_dags FIRST_SEED LAST_SEED | stuck");
  int tasks = 0;
  for (seed = atoi(argv[1]); seed <= atoi(argv[2]); seed++) {
    run_dag(handles);
    tasks += njobs;
  }
  for (int i = 0; i < kHandles; i++) starpu_data_unregister(handles[i]);
  starpu_shutdown();
  passed = 1;
  printf("%d DAGs, %d tasks\n", atoi(argv[2]) - atoi(argv[1]) + 1, tasks);
  pass("random_dags");
  return 0;
}
