/* `cut`, `reduced` and `last` run in SimGrid on cores of StarPU's recorded machine: a long chain, and tasks that
 * nothing waits for. The chain has to go first, whatever hides how long it is or how long the others' is. `often` runs
 * anywhere: more submissions that run nowhere than anybody has room for. Usage: hidden_order cut | reduced | last |
 * often */
#include "tests/sched_policies/live/live_support.h"

enum { kParts = 2, kNumbers = 64 };

static const double kTask = 1000; /* microseconds */

static double cost(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return kTask;
}

static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH, .arch_cost_function = cost, .symbol = "hidden_order"};
static struct starpu_codelet write_one = {
    .cpu_funcs = {never}, .nbuffers = 1, .modes = {STARPU_RW}, .model = &model, .name = "write_one"};
static struct starpu_codelet reduce_one = {
    .cpu_funcs = {never}, .nbuffers = 1, .modes = {STARPU_REDUX}, .model = &model, .name = "reduce_one"};
static struct starpu_codelet begin_sum = {
    .cpu_funcs = {never}, .nbuffers = 1, .modes = {STARPU_W}, .model = &model, .name = "begin_sum"};
static struct starpu_codelet add_sums = {
    .cpu_funcs = {never}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}, .model = &model, .name = "add_sums"};

static starpu_data_handle_t numbers(void) {
  starpu_data_handle_t handle = NULL;
  void* memory = NULL;
  check(starpu_malloc(&memory, kNumbers) == 0, "memory");
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)memory, kNumbers, 1);
  return handle;
}

static void use(struct starpu_codelet* codelet, starpu_data_handle_t handle) {
  struct starpu_task* task = make_task(codelet, NULL);
  task->handles[0] = handle;
  submit(task);
}

/* 40 tasks on data of their own, then 2 on the parts of a field, and after them 60 on the field. */
static void cut_data(void) {
  starpu_data_handle_t field = numbers(), parts[kParts], others[40];
  struct starpu_data_filter halves = {.filter_func = starpu_vector_filter_block, .nchildren = kParts};
  starpu_data_partition_plan(field, &halves, parts);
  for (int i = 0; i < 40; i++) use(&write_one, others[i] = numbers());
  starpu_data_partition_submit(field, kParts, parts);
  for (int i = 0; i < kParts; i++) use(&write_one, parts[i]);
  starpu_data_unpartition_submit(field, kParts, parts, -1);
  for (int i = 0; i < 60; i++) use(&write_one, field);
  starpu_task_wait_for_all();
  starpu_data_partition_clean(field, kParts, parts);
  starpu_data_unregister(field);
  for (int i = 0; i < 40; i++) starpu_data_unregister(others[i]);
}

/* 80 tasks that add to one sum, and a chain of 40. */
static void reduced_data(void) {
  starpu_data_handle_t sum = numbers(), chain = numbers();
  starpu_data_set_reduction_methods(sum, &add_sums, &begin_sum);
  for (int i = 0; i < 80; i++) use(&reduce_one, sum);
  for (int i = 0; i < 40; i++) use(&write_one, chain);
  starpu_task_wait_for_all();
  starpu_data_unregister(sum);
  starpu_data_unregister(chain);
}

/* 100 tasks on data of their own, then a chain of 20: so few that they are no reason to look at the whole graph again.
 */
static void chain_last(void) {
  starpu_data_handle_t chain = numbers(), others[100];
  for (int i = 0; i < 100; i++) use(&write_one, others[i] = numbers());
  for (int i = 0; i < 20; i++) use(&write_one, chain);
  starpu_task_wait_for_all();
  starpu_data_unregister(chain);
  for (int i = 0; i < 100; i++) starpu_data_unregister(others[i]);
}

/* Data that is cut and joined 2000 times, in every tenth round with tasks in between. */
static void cut_often(void) {
  starpu_data_handle_t field = numbers(), parts[kParts];
  struct starpu_data_filter halves = {.filter_func = starpu_vector_filter_block, .nchildren = kParts};
  starpu_data_partition_plan(field, &halves, parts);
  for (int round = 0; round < 2000; round++) {
    starpu_data_partition_submit(field, kParts, parts);
    for (int i = 0; i < kParts && round % 10 == 0; i++) use(&write_one, parts[i]);
    starpu_data_unpartition_submit(field, kParts, parts, -1);
  }
  starpu_task_wait_for_all();
  starpu_data_partition_clean(field, kParts, parts);
  starpu_data_unregister(field);
}

static const struct mode {
  const char* name;
  void (*run)(void);
  double longest; /* in the time of a task; 0: any */
} modes[] = {{"cut", cut_data, 66}, {"reduced", reduced_data, 46}, {"last", chain_last, 36}, {"often", cut_often, 0}};

int main(int argc, char** argv) {
  const struct mode* mode = modes;
  const struct mode* const end = modes + sizeof(modes) / sizeof(*modes);
  while (mode != end && (argc < 2 || strcmp(argv[1], mode->name) != 0)) mode++;
  check(mode != end, "the argument is one of the modes");
  start();
  const double begin = starpu_timing_now();
  mode->run();
  const double tasks = (starpu_timing_now() - begin) / kTask;
  printf("%.1f tasks one after the other\n", tasks);
  fflush(stdout);
  check(mode->longest == 0 || tasks < mode->longest, "the chain begins first");
  starpu_shutdown();
  pass("hidden_order");
  return 0;
}
