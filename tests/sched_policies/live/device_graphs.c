/* Random graphs on real data, for a machine whose devices have memories of their own (flavour opencl). Checks that each
 * task runs once, that every value is the one that the order of submission gives, on devices and after the way back to
 * main memory, that devices and cores both run tasks, that data travels both ways, and that no device holds more than
 * its limit (STARPU_LIMIT_OPENCL_MEM), which the vectors together exceed. Usage: device_graphs FIRST_SEED LAST_SEED
 * [KIBIBYTES of a vector] */
#include "tests/sched_policies/live/live_support.h"

enum { kVectors = 24, kTasks = 160 };

struct job {
  unsigned addend;
  unsigned expected[2]; /* what the first vector, and the one that is only read, must hold */
  int reads_another;
  int runs;
};

static struct job jobs[kTasks];
static unsigned length; /* of a vector, in elements */
static unsigned values[kVectors];
static starpu_data_handle_t vectors[kVectors];
static atomic_int wrong_values, over_the_limit, on_devices, on_cores;
static uint64_t state;

static unsigned draw(unsigned below) { return draw_from(&state, below); }

/* Nobody runs a second task before everybody had a first, however busy the machine is; but nobody waits for ever for a
 * worker to which the policy gives none. */
static void wait_for_the_others(int worker) {
  static atomic_int arrived[STARPU_NMAXWORKERS];
  if (atomic_exchange(&arrived[worker], 1)) return;
  const double patience = starpu_timing_now() + 5e6;
  for (unsigned other = 0; other < starpu_worker_get_count(); other++) {
    while (!atomic_load(&arrived[other]) && starpu_timing_now() < patience) usleep(100);
  }
}

static void look_where_it_runs(void) {
  const int worker = starpu_worker_get_id_check();
  wait_for_the_others(worker);
  if (starpu_worker_get_type(worker) == STARPU_CPU_WORKER) {
    atomic_fetch_add(&on_cores, 1);
    return;
  }
  atomic_fetch_add(&on_devices, 1);
  const unsigned node = starpu_worker_get_memory_node((unsigned)worker);
  if (starpu_memory_get_total(node) > 0 && (starpu_ssize_t)starpu_memory_get_used(node) > starpu_memory_get_total(node))
    atomic_fetch_add(&over_the_limit, 1);
}

static void work(void* buffers[], void* argument) {
  struct job* job = argument;
  look_where_it_runs();
  __atomic_fetch_add(&job->runs, 1, __ATOMIC_SEQ_CST);
  unsigned* vector = (unsigned*)STARPU_VECTOR_GET_PTR(buffers[0]);
  const unsigned* other = job->reads_another ? (const unsigned*)STARPU_VECTOR_GET_PTR(buffers[1]) : NULL;
  unsigned wrong = 0;
  for (unsigned i = 0; i < length; i++) {
    wrong |= vector[i] ^ job->expected[0];
    if (other != NULL) wrong |= other[i] ^ job->expected[1];
    vector[i] = 3 * vector[i] + job->addend + (other != NULL ? other[i] : 0);
  }
  if (wrong != 0) atomic_fetch_add(&wrong_values, 1);
}

static double cost(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)implementation;
  const struct job* job = task->cl_arg;
  const int device = starpu_worker_get_type((int)worker) != STARPU_CPU_WORKER;
  return (100 + job->addend % 400) / (device ? 0.5 + job->addend % 16 : 1);
}

static struct starpu_perfmodel model = {
    .type = STARPU_PER_WORKER, .worker_cost_function = cost, .symbol = "device_graphs"};
static struct starpu_codelet changing = {ANYWHERE(work), .nbuffers = 1, .modes = {STARPU_RW}, .model = &model,
                                         .name = "changing"};
static struct starpu_codelet combining = {ANYWHERE(work), .nbuffers = 2, .modes = {STARPU_RW, STARPU_R},
                                          .model = &model, .name = "combining"};

static void submit_job(struct job* job) {
  const unsigned which = draw(kVectors), other = (which + 1 + draw(kVectors - 1)) % kVectors;
  *job = (struct job){.addend = draw(1000), .reads_another = draw(2) == 0};
  struct starpu_task* task = make_task(job->reads_another ? &combining : &changing, job);
  task->handles[0] = vectors[which];
  job->expected[0] = values[which];
  values[which] = 3 * values[which] + job->addend;
  if (job->reads_another) {
    task->handles[1] = vectors[other];
    job->expected[1] = values[other];
    values[which] += values[other];
  }
  task->priority = (int)draw(3);
  submit(task);
}

static void check_in_main_memory(int v) {
  check(starpu_data_acquire(vectors[v], STARPU_R) == 0, "starpu_data_acquire");
  const unsigned* vector = starpu_data_get_local_ptr(vectors[v]);
  for (unsigned i = 0; i < length; i++) check(vector[i] == values[v], "a value in main memory");
  starpu_data_release(vectors[v]);
}

static void run_graph(int seed) {
  const int paused = seed % 2;
  state = (uint64_t)seed * 0x9E3779B97F4A7C15ULL + 1;
  if (paused) starpu_pause();
  for (int i = 0; i < kTasks; i++) submit_job(&jobs[i]);
  if (paused) starpu_resume();
  check(starpu_task_wait_for_all() == 0, "wait for all");
  for (int i = 0; i < kTasks; i++) check(jobs[i].runs == 1, "each task ran exactly once");
  check(atomic_load(&wrong_values) == 0, "every value is the one that the order of submission gives");
  check(atomic_load(&over_the_limit) == 0, "a device holds no more than its memory");
  for (int v = 0; v < kVectors; v += 5) check_in_main_memory(v);
}

/* What travelled to and from devices. */
static void travelled(double* to, double* from) {
  *to = *from = 0;
  for (int bus = 0; bus < starpu_bus_get_count(); bus++) {
    struct starpu_profiling_bus_info info;
    check(starpu_bus_get_profiling_info(bus, &info) == 0, "bus profile");
    if (starpu_node_get_kind(starpu_bus_get_dst(bus)) != STARPU_CPU_RAM) *to += (double)info.transferred_bytes;
    if (starpu_node_get_kind(starpu_bus_get_src(bus)) != STARPU_CPU_RAM) *from += (double)info.transferred_bytes;
  }
}

int main(int argc, char** argv) {
  alarm(100);
  check(argc >= 3, "usage: device_graphs FIRST_SEED LAST_SEED [KIBIBYTES]");
  length = (unsigned)(argc > 3 ? atoi(argv[3]) : 16) << 8;
  start();
  check(starpu_opencl_worker_get_count() > 0, "a device");
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  for (unsigned v = 0; v < kVectors; v++) {
    void* memory = NULL;
    check(starpu_malloc(&memory, length * sizeof(unsigned)) == 0, "memory");
    for (unsigned i = 0; i < length; i++) ((unsigned*)memory)[i] = v;
    values[v] = v;
    starpu_vector_data_register(&vectors[v], STARPU_MAIN_RAM, (uintptr_t)memory, length, sizeof(unsigned));
  }
  for (int seed = atoi(argv[1]); seed <= atoi(argv[2]); seed++) run_graph(seed);
  double to, from;
  travelled(&to, &from);
  printf("cores ran %d tasks, devices %d; %.1f MiB to devices, %.1f back\n", on_cores, on_devices, to / (1 << 20),
         from / (1 << 20));
  fflush(stdout);
  check(on_devices > 0 && (starpu_cpu_worker_get_count() == 0 || on_cores > 0), "devices and cores take part");
  check(to > 0 && from > 0, "data went to devices and came back");
  for (int v = 0; v < kVectors; v++) {
    void* memory = starpu_data_get_local_ptr(vectors[v]);
    starpu_data_unregister(vectors[v]);
    for (unsigned i = 0; i < length; i++) check(((unsigned*)memory)[i] == values[v], "a value after the end");
    starpu_free_noflag(memory, length * sizeof(unsigned));
  }
  starpu_shutdown();
  pass("device_graphs");
  return 0;
}
