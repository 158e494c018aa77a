/* What a policy owes StarPU, one case a run: obligations CASE. Needs two workers, the second one perhaps a device.
 * Prints a PASS line when the case holds. The table in docs/plug-in-obligations.md says which case covers which
 * obligation. */
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tests/sched_policies/live/live_support.h"

enum { kMany = 400 };

static atomic_int ran[2];       /* tasks run, by worker */
static atomic_int used_impl[2]; /* tasks run, by implementation */

static void note(int implementation) {
  atomic_fetch_add(&ran[renumbered(starpu_worker_get_id())], 1);
  atomic_fetch_add(&used_impl[implementation], 1);
}

static void first(void* buffers[], void* argument) {
  (void)buffers;
  if (argument != NULL) atomic_fetch_add((atomic_int*)argument, 1);
  note(0);
}

static void second(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  note(1);
}

static void reset(void) {
  for (int i = 0; i < 2; i++) {
    atomic_store(&ran[i], 0);
    atomic_store(&used_impl[i], 0);
  }
}

static int total(void) { return atomic_load(&ran[0]) + atomic_load(&ran[1]); }

static struct starpu_codelet plain = {ANYWHERE(first), .name = "plain"};

static struct hold hold;

static void wait_all(void) { check(starpu_task_wait_for_all() == 0, "wait for all"); }

/* Tasks bound to a worker go past the policy, between others that do not. */
static void specific_worker(void) {
  atomic_int on[2] = {0, 0};
  for (int i = 0; i < kMany; i++) {
    struct starpu_task* task = make_task(&plain, NULL);
    task->execute_on_a_specific_worker = 1;
    task->workerid = (unsigned)renumbered(i % 2);
    submit(task);
    submit(make_task(&plain, &on[i % 2]));
  }
  wait_all();
  check(total() == 2 * kMany && on[0] + on[1] == kMany, "each task ran once");
  check(ran[0] >= kMany / 2 && ran[1] >= kMany / 2, "bound tasks ran on their workers");
}

static int only_worker_1(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)task;
  (void)implementation;
  return renumbered((int)worker) == 1;
}

static int only_implementation_1(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)worker;
  (void)task;
  return implementation == 1;
}

static void can_execute(void) {
  static struct starpu_codelet codelet = {ANYWHERE(first), .can_execute = only_worker_1, .name = "picky"};
  for (int i = 0; i < kMany; i++) submit(make_task(&codelet, NULL));
  wait_all();
  check(ran[0] == 0 && ran[1] == kMany, "can_execute decides the worker");

  reset();
  static struct starpu_codelet two = {ANYWHERE_IN_TWO_WAYS(first, second), .can_execute = only_implementation_1,
                                      .name = "two"};
  for (int i = 0; i < kMany; i++) submit(make_task(&two, NULL));
  wait_all();
  check(used_impl[0] == 0 && used_impl[1] == kMany, "can_execute decides the implementation");
}

static void where(void) {
  uint32_t workers = 1U << renumbered(1);
  for (int i = 0; i < kMany; i++) {
    struct starpu_task* task = make_task(&plain, NULL);
    task->workerids = &workers;
    task->workerids_len = 1;
    submit(task);
  }
  wait_all();
  check(ran[0] == 0 && ran[1] == kMany, "workerids decides the worker");

  struct starpu_task* nowhere = make_task(&plain, NULL);
  nowhere->where = STARPU_NOWHERE;
  submit(nowhere);
  struct starpu_task* cpu = make_task(&plain, NULL);
  cpu->where = STARPU_CPU;
  submit(cpu);
  wait_all();
  check(total() == kMany + 1, "a task that is nowhere runs nowhere");
}

static atomic_int gate_open = 0;
static atomic_int refused = 0; /* how often a worker that asked was told no */

/* Says yes when asked for the push, no when the worker asks: the policy must notice, and give the task to the other. */
static int no_when_worker_0_asks(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)task;
  (void)implementation;
  return !(renumbered((int)worker) == 0 && starpu_worker_get_id() == (int)worker);
}

static int when_the_gate_is_open(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)worker;
  (void)task;
  (void)implementation;
  if (starpu_worker_get_id() < 0 || atomic_load(&gate_open)) return 1;
  atomic_fetch_add(&refused, 1);
  return 0;
}

static void change_of_mind(void) {
  static struct starpu_codelet fickle = {ANYWHERE(first), .can_execute = no_when_worker_0_asks, .name = "fickle"};
  for (int i = 0; i < kMany; i++) submit(make_task(&fickle, NULL));
  wait_all();
  check(ran[0] == 0 && ran[1] == kMany, "a task refused at the last moment runs where it can");

  reset();
  static struct starpu_codelet closed = {ANYWHERE(first), .can_execute = when_the_gate_is_open, .name = "closed"};
  for (int i = 0; i < kMany; i++) submit(make_task(&closed, NULL));
  while (atomic_load(&refused) < kMany) usleep(1000);
  check(total() == 0, "nothing runs while nobody can");
  atomic_store(&gate_open, 1);
  wait_all();
  check(total() == kMany, "tasks that nobody could run for a while run in the end");
}

static double second_is_faster(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  return implementation == 0 ? 100.0 : 10.0;
}

static void best_implementation(void) {
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_ARCH, .arch_cost_function = second_is_faster, .symbol = "second_is_faster"};
  static struct starpu_codelet codelet = {ANYWHERE_IN_TWO_WAYS(first, second), .model = &model, .name = "two"};
  for (int i = 0; i < kMany; i++) submit(make_task(&codelet, NULL));
  wait_all();
  check(used_impl[0] == 0 && used_impl[1] == kMany, "the fastest implementation is used, not the first");
}

static void slow_way(void* buffers[], void* argument) {
  usleep(2000);
  first(buffers, argument);
}

/* Tasks that StarPU ran with the first implementation are samples of that one. */
static void other_implementation(void) {
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_ARCH, .arch_cost_function = second_is_faster, .symbol = "second_is_faster"};
  static struct starpu_codelet codelet = {ANYWHERE_IN_TWO_WAYS(slow_way, second), .model = &model, .name = "two"};
  enum { kBound = 8 };
  for (int i = 0; i < kBound; i++) {
    struct starpu_task* task = make_task(&codelet, NULL);
    task->execute_on_a_specific_worker = 1;
    task->workerid = (unsigned)i % 2;
    submit(task);
  }
  wait_all();
  check(used_impl[0] == kBound, "StarPU runs bound tasks with the first implementation");
  for (int i = 0; i < kMany; i++) submit(make_task(&codelet, NULL));
  wait_all();
  check(used_impl[0] == kBound && used_impl[1] == kMany,
        "what one implementation took is not taken for another's time");
}

enum { kBuffers = 40 };

static void sum_up(void* buffers[], void* argument) {
  int* sum = (int*)STARPU_VARIABLE_GET_PTR(buffers[0]);
  for (int i = 1; i < kBuffers; i++) *sum += *(const int*)STARPU_VARIABLE_GET_PTR(buffers[i]);
  first(NULL, argument);
}

/* More buffers than a task has room for: StarPU keeps them elsewhere. */
static void many_buffers(void) {
  static struct starpu_codelet codelet = {ANYWHERE(sum_up), .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = "sum_up"};
  static int values[kBuffers], sum;
  starpu_data_handle_t handles[kBuffers];
  struct starpu_data_descr uses[kBuffers];
  for (int i = 0; i < kBuffers; i++) {
    values[i] = i;
    int* memory = i == 0 ? &sum : &values[i];
    starpu_variable_data_register(&handles[i], STARPU_MAIN_RAM, (uintptr_t)memory, sizeof(int));
    uses[i] = (struct starpu_data_descr){handles[i], i == 0 ? STARPU_RW : STARPU_R};
  }
  for (int i = 0; i < kMany; i++)
    check(starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, uses, kBuffers, 0) == 0, "starpu_task_insert");
  wait_all();
  for (int i = 0; i < kBuffers; i++) starpu_data_unregister(handles[i]);
  check(total() == kMany && sum == kMany * kBuffers * (kBuffers - 1) / 2, "each task adds up all of its buffers");
}

enum { kAlive = 0x600d };

struct input {
  int state; /* kAlive until the epilogue callback */
  int size;
};

static atomic_int read_dead = 0; /* how often parameters were computed from an input that was given back */

static void size_of_input(struct starpu_task* task, double* parameters) {
  const struct input* input = task->cl_arg;
  if (input->state != kAlive) atomic_fetch_add(&read_dead, 1);
  parameters[0] = input->size;
}

static void give_back(void* input) { ((struct input*)input)->state = 0; }

static void no_argument(void* buffers[], void* argument) {
  (void)argument;
  first(buffers, NULL);
}

/* An epilogue callback may free a task's argument, and StarPU calls it before it reports the task's end. */
static void parameters(void) {
  static struct input inputs[kMany];
  static const char* names[] = {"size"};
  static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH,
                                          .arch_cost_function = second_is_faster,
                                          .nparameters = 1,
                                          .parameters = size_of_input,
                                          .parameters_names = names,
                                          .symbol = "parameters"};
  static struct starpu_codelet codelet = {ANYWHERE(no_argument), .model = &model, .name = "parameters"};
  for (int i = 0; i < kMany; i++) {
    inputs[i] = (struct input){kAlive, i % 7};
    struct starpu_task* task = make_task(&codelet, &inputs[i]);
    task->epilogue_callback_func = give_back;
    task->epilogue_callback_arg = &inputs[i];
    submit(task);
  }
  wait_all();
  check(total() == kMany, "each task ran once");
  check(read_dead == 0, "parameters are computed while the task's argument lives");
}

static atomic_int asked_in_vain = 0;

/* Of a task that only worker 1 may run, by whatever means. */
static double of_worker_1(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  if (renumbered((int)worker) != 1) atomic_fetch_add(&asked_in_vain, 1);
  return 10;
}

static double ten_microseconds(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return 10;
}

static int only_implementation_0(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)worker;
  (void)task;
  return implementation == 0;
}

/* A performance model answers for what its tasks may use, and for nothing else: StarPU stops the program where a cost
 * function is missing. */
static void partial_model(void) {
  static struct starpu_perfmodel by_worker = {
      .type = STARPU_PER_WORKER, .worker_cost_function = of_worker_1, .symbol = "by_worker"};
  static struct starpu_codelet open = {ANYWHERE(first), .model = &by_worker, .name = "open"};
  static struct starpu_codelet picky = {ANYWHERE(first), .can_execute = only_worker_1, .model = &by_worker,
                                        .name = "picky"};
  uint32_t workers = 1U << renumbered(1);
  for (int i = 0; i < kMany; i++) {
    struct starpu_task* task = make_task(i % 3 == 0 ? &picky : &open, NULL);
    if (i % 3 == 1) {
      task->workerids = &workers;
      task->workerids_len = 1;
    } else if (i % 3 == 2) {
      task->execute_on_a_specific_worker = 1;
      task->workerid = (unsigned)renumbered(1);
    }
    submit(task);
  }
  wait_all();
  check(ran[1] == kMany, "each task ran on worker 1");
  check(asked_in_vain == 0, "the model is not asked about a worker that may not run the task");

  reset();
  static struct starpu_perfmodel cpu_model = {.type = STARPU_PER_ARCH, .symbol = "cpu_model"};
  starpu_perfmodel_init(&cpu_model);
  starpu_perfmodel_set_per_devices_cost_function(&cpu_model, 0, ten_microseconds, STARPU_CPU_WORKER, 0, 1, -1);
  static struct starpu_codelet two = {ANYWHERE_IN_TWO_WAYS(first, second), .can_execute = only_implementation_0,
                                      .where = STARPU_CPU, .model = &cpu_model, .name = "two"};
  static struct starpu_codelet one = {ANYWHERE(first), .model = &cpu_model, .name = "one"};
  for (int i = 0; i < kMany; i++) {
    struct starpu_task* task = make_task(i % 2 ? &two : &one, NULL);
    task->where = STARPU_CPU;
    submit(task);
  }
  wait_all();
  check(used_impl[0] == kMany, "each task ran in the first implementation");
}

static int order[kMany];
static atomic_int ordered = 0;

static void note_order(void* buffers[], void* argument) {
  (void)buffers;
  order[atomic_fetch_add(&ordered, 1)] = *(int*)argument;
}

/* All tasks are queued before the first is taken; one worker takes them. */
static void priorities(void) {
  static struct starpu_codelet codelet = {ANYWHERE(note_order), .can_execute = only_worker_1, .name = "ordered"};
  static int priority[kMany];
  check(starpu_sched_get_min_priority() == INT_MIN && starpu_sched_get_max_priority() == INT_MAX,
        "any integer is a priority");
  hold_workers(&hold);
  for (int i = 0; i < kMany; i++) {
    priority[i] = (i * 7919) % 5 - 2;
    struct starpu_task* task = make_task(&codelet, &priority[i]);
    task->priority = priority[i];
    submit(task);
  }
  release_workers(&hold);
  wait_all();
  check(ordered == kMany, "each task ran once");
  for (int i = 1; i < kMany; i++) check(order[i] <= order[i - 1], "higher priorities run first");
}

static double not_a_number(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return NAN;
}

static void nan_parameters(struct starpu_task* task, double* parameters) {
  (void)task;
  parameters[0] = NAN;
}

static void nan_model(void) {
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_ARCH, .arch_cost_function = not_a_number, .symbol = "not_a_number"};
  static struct starpu_perfmodel declared = {.type = STARPU_PER_ARCH,
                                             .arch_cost_function = not_a_number,
                                             .nparameters = 1,
                                             .parameters = nan_parameters,
                                             .symbol = "declared"};
  static struct starpu_codelet one = {ANYWHERE_IN_TWO_WAYS(first, second), .model = &model, .name = "nan"};
  static struct starpu_codelet other = {ANYWHERE_IN_TWO_WAYS(first, second), .model = &declared,
                                        .name = "nan_parameters"};
  for (int i = 0; i < kMany; i++) submit(make_task(i % 2 ? &one : &other, NULL));
  wait_all();
  check(total() == kMany, "tasks without a usable estimate run");
}

static double wrong_cost; /* microseconds */

static double wrong_anywhere(struct starpu_task* task, unsigned implementation) {
  (void)task;
  (void)implementation;
  return wrong_cost;
}

static double wrong_by_arch(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  return implementation == 0 ? wrong_cost : 10;
}

static double wrong_by_worker(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return renumbered((int)worker) == 0 ? wrong_cost : 10;
}

/* Whatever an application's cost functions say: StarPU would stop the program for some of it, and sums and ratios of
 * some of it are no numbers. Half of the tasks are of the codelet that is asked about, the others have no model. */
static void wrong_costs(void) {
  static const double costs[] = {INFINITY, -INFINITY, -1, -1e300, -0.0, 0, 5e-324, 1e-300, 1e14, 1e300, 1.7e308, NAN};
  static struct starpu_perfmodel models[] = {
      {.type = STARPU_COMMON, .cost_function = wrong_anywhere, .symbol = "wrong_anywhere"},
      {.type = STARPU_PER_ARCH, .arch_cost_function = wrong_by_arch, .symbol = "wrong_by_arch"},
      {.type = STARPU_PER_WORKER, .worker_cost_function = wrong_by_worker, .symbol = "wrong_by_worker"},
      {.type = STARPU_PER_ARCH, .symbol = "wrong_by_device"}};
  enum { kModels = sizeof(models) / sizeof(models[0]), kCosts = sizeof(costs) / sizeof(costs[0]) };
  static struct starpu_codelet codelets[kCosts][kModels];
  starpu_perfmodel_init(&models[3]);
  starpu_perfmodel_set_per_devices_cost_function(&models[3], 0, wrong_by_arch, STARPU_CPU_WORKER, 0, 1, -1);
  for (int cost = 0; cost < kCosts; cost++) {
    wrong_cost = costs[cost];
    for (int model = 0; model < kModels; model++) {
      codelets[cost][model] = (struct starpu_codelet){ANYWHERE_IN_TWO_WAYS(first, second), .model = &models[model],
                                                      .name = models[model].symbol};
    }
    for (int i = 0; i < kMany; i++) submit(make_task(i % 2 ? &codelets[cost][i / 2 % kModels] : &plain, NULL));
    wait_all();
  }
  check(total() == kCosts * kMany, "each task ran once, whatever its model says");
}

static double of_worker(struct starpu_task* task, unsigned worker, unsigned implementation) {
  (void)task;
  (void)implementation;
  return renumbered((int)worker) == 0 ? 300 : 100;
}

static atomic_int predicted_right;

/* Tools read in a task how long it was expected to take, in microseconds: a number only where one was estimated. */
static void read_prediction(void* buffers[], void* argument) {
  const struct starpu_task* task = starpu_task_get_current();
  const double seconds = of_worker(NULL, (unsigned)starpu_worker_get_id(), 0);
  const int estimated = argument != NULL && strstr(getenv("STARPU_SCHED"), "fcfs") == NULL;
  const int right = estimated ? fabs(task->predicted - seconds) < 1e-3 : isnan(task->predicted);
  const int copies =
      strcmp(getenv("STARPU_SCHED"), "apex") == 0 ? task->predicted_transfer >= 0 : isnan(task->predicted_transfer);
  atomic_fetch_add(&predicted_right, right && copies);
  first(buffers, NULL);
}

static void predicted(void) {
  static struct starpu_perfmodel model = {
      .type = STARPU_PER_WORKER, .worker_cost_function = of_worker, .symbol = "of_worker"};
  static struct starpu_codelet known = {ANYWHERE(read_prediction), .model = &model, .name = "known"};
  static struct starpu_codelet unknown = {ANYWHERE(read_prediction), .name = "unknown"};
  for (int i = 0; i < kMany; i++) submit(i % 2 ? make_task(&known, &model) : make_task(&unknown, NULL));
  wait_all();
  check(total() == kMany && predicted_right == kMany, "tasks say how long they were expected to take, or nothing");
}

static void submit_to_both(unsigned context, int count) {
  for (int i = 0; i < count; i++) {
    check(starpu_task_submit_to_ctx(make_task(&plain, NULL), context) == 0, "submit to the context");
    submit(make_task(&plain, NULL));
  }
}

static atomic_int asked[2]; /* by model */

static double of_the_first(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  atomic_fetch_add(&asked[0], 1);
  return ten_microseconds(task, arch, implementation);
}

static double of_the_second(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  atomic_fetch_add(&asked[1], 1);
  return ten_microseconds(task, arch, implementation);
}

static void* hold_both(void* unused) {
  hold_workers(&hold);
  return unused;
}

/* What is remembered of the calling thread's last submission stays. */
static void hold_by_another_thread(void) {
  pthread_t thread;
  check(pthread_create(&thread, NULL, hold_both, NULL) == 0, "a thread");
  pthread_join(thread, NULL);
}

/* A context gets the number of one that is gone, and a task the memory of another one. What was estimated of that one
 * is not said of this one. */
static void new_context(void) {
  static struct starpu_perfmodel models[2] = {
      {.type = STARPU_PER_ARCH, .arch_cost_function = of_the_first, .symbol = "of_the_first"},
      {.type = STARPU_PER_ARCH, .arch_cost_function = of_the_second, .symbol = "of_the_second"}};
  static struct starpu_codelet codelets[2] = {{ANYWHERE(first), .model = &models[0], .name = "first"},
                                              {ANYWHERE(first), .model = &models[1], .name = "second"}};
  static struct starpu_task task;
  int both[2] = {renumbered(0), renumbered(1)};
  unsigned contexts_made[2];
  for (int i = 0; i < 2; i++) {
    hold_by_another_thread();
    const unsigned context = contexts_made[i] = make_context(both, 2);
    release_workers(&hold);
    starpu_task_init(&task);
    task.cl = &codelets[i];
    task.detach = 0;
    task.destroy = 0;
    check(starpu_task_submit_to_ctx(&task, context) == 0, "submit to the context");
    check(starpu_task_wait(&task) == 0, "wait for the task");
    starpu_task_clean(&task);
    hold_by_another_thread();
    starpu_sched_ctx_delete(context);
    release_workers(&hold);
  }
  check(contexts_made[0] == contexts_made[1], "the contexts have the same number");
  check((asked[0] == 0) == (asked[1] == 0), "each task's own model is asked, or none");
}

static atomic_int learnt = 0;

static void count_lessons(struct starpu_task* task, double* parameters) {
  (void)task;
  atomic_fetch_add(&learnt, 1);
  parameters[0] = 1;
}

/* StarPU tells every context of a worker of the tasks that run there in a context without a policy. They are not the
 * policy's: nothing is learnt from them, and files_test.cpp sees that they are not counted. */
static void no_policy(void) {
  static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH,
                                          .arch_cost_function = second_is_faster,
                                          .nparameters = 1,
                                          .parameters = count_lessons,
                                          .symbol = "foreign"};
  static struct starpu_codelet foreign = {ANYWHERE(first), .model = &model, .name = "foreign"};
  int worker = renumbered(1);
  const unsigned with = make_context(&worker, 1);
  const unsigned without = starpu_sched_ctx_create(&worker, 1, "no policy", 0);
  for (int i = 0; i < kMany; i++) {
    check(starpu_task_submit_to_ctx(make_task(&foreign, NULL), without) == 0, "submit to the context without a policy");
    check(starpu_task_submit_to_ctx(make_task(&plain, NULL), with) == 0, "submit to the context");
  }
  wait_all();
  check(total() == 2 * kMany, "each task ran once");
  check(learnt == 0, "nothing is learnt from tasks of a context without a policy");
  hold_workers(&hold);
  starpu_sched_ctx_delete(without);
  starpu_sched_ctx_delete(with);
  release_workers(&hold);
}

/* A worker that leads a context without a policy takes tasks there that were fetched ahead for it. */
static void led(void) {
  static struct starpu_codelet reader = {ANYWHERE(first), .nbuffers = 1, .modes = {STARPU_R}, .name = "reader"};
  static int value = 0;
  starpu_data_handle_t handle;
  starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value, sizeof(value));
  int worker = renumbered(1);
  const unsigned context = starpu_sched_ctx_create(&worker, 1, "led", STARPU_SCHED_CTX_NESTED, 0, 0);
  starpu_pause(); /* else little is queued that could be fetched ahead */
  for (int i = 0; i < kMany; i++) {
    struct starpu_task* task = make_task(&reader, NULL);
    task->handles[0] = handle;
    submit(task);
  }
  starpu_resume();
  wait_all();
  check(total() == kMany, "each task ran once");
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
  starpu_data_unregister(handle);
}

/* Until a worker that was removed from a context has left it. Whoever binds a task to a worker, as hold_workers does,
 * makes StarPU walk the worker's list of contexts, also while the worker changes it. */
static void wait_until_left(int worker) {
  while (starpu_sched_ctx_overlapping_ctxs_on_worker(worker)) usleep(100);
}

/* Contexts come and go, workers leave down to none and come back, with tasks waiting. They change while both workers
 * are inside a task: StarPU lets one that begins or ends a task walk its list of contexts while another thread changes
 * that list (docs/plug-in-obligations.md, "StarPU's own defects"). */
static void contexts(void) {
  int both[2] = {renumbered(0), renumbered(1)};
  for (int round = 0; round < 20; round++) {
    reset();
    hold_workers(&hold);
    unsigned context = make_context(both, 2);
    submit_to_both(context, kMany / 4);
    release_workers(&hold);
    submit_to_both(context, kMany / 4);

    hold_workers(&hold);
    starpu_sched_ctx_remove_workers(&both[1], 1, context);
    submit_to_both(context, kMany / 4);
    release_workers(&hold);
    submit_to_both(context, kMany / 8);
    wait_until_left(both[1]);

    hold_workers(&hold);
    starpu_sched_ctx_remove_workers(&both[0], 1, context);
    release_workers(&hold);
    submit_to_both(context, kMany / 8);
    wait_until_left(both[0]);

    hold_workers(&hold);
    starpu_sched_ctx_add_workers(&both[round % 2], 1, context);
    release_workers(&hold);
    check(starpu_task_wait_for_all_in_ctx(context) == 0, "wait for the context");
    wait_all();
    check(total() == 2 * kMany, "each task ran once");

    hold_workers(&hold);
    starpu_sched_ctx_delete(context);
    release_workers(&hold);
    wait_all();
  }
}

static atomic_int worker_0_may = 0;

static int worker_0_if_it_may(unsigned worker, struct starpu_task* task, unsigned implementation) {
  (void)task;
  (void)implementation;
  if (renumbered((int)worker) != 0 || starpu_worker_get_id() < 0 || atomic_load(&worker_0_may)) return 1;
  atomic_fetch_add(&refused, 1);
  return 0;
}

/* Worker 0 takes a task that it cannot run after all. The other worker of the context is busy, and leaves before it
 * comes to the task. Then worker 0 can run it. */
static void refused_then_left(void) {
  static struct starpu_codelet fickle = {ANYWHERE(first), .can_execute = worker_0_if_it_may, .name = "fickle"};
  static struct starpu_codelet busy = {ANYWHERE(hold_worker), .name = "busy"};
  static struct hold inside;
  int both[2] = {renumbered(0), renumbered(1)};
  hold_workers(&hold);
  const unsigned context = make_context(both, 2);
  release_workers(&hold);
  struct starpu_task* task = make_task(&busy, &inside);
  task->execute_on_a_specific_worker = 1;
  task->workerid = (unsigned)renumbered(1);
  submit(task);
  while (!atomic_load(&inside.held)) usleep(100);
  check(starpu_task_submit_to_ctx(make_task(&fickle, NULL), context) == 0, "submit to the context");
  while (!atomic_load(&refused)) usleep(100);
  int leaves = renumbered(1); /* StarPU sorts the numbers that it is given */
  starpu_sched_ctx_remove_workers(&leaves, 1, context);
  atomic_store(&worker_0_may, 1);
  check(starpu_task_wait_for_all_in_ctx(context) == 0, "wait for the context");
  check(ran[0] == 1, "the worker that is left runs the task");
  atomic_store(&inside.let_go, 1);
  wait_all();
  wait_until_left(leaves);
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
}

enum { kQueue = 20 };

/* The second task holds its worker until the gate opens. */
static void hold_second(void* buffers[], void* argument) {
  note_order(buffers, argument);
  while (*(int*)argument == kQueue - 1 && !atomic_load(&gate_open)) usleep(1000);
}

static void wait_for_ordered(int tasks) {
  while (atomic_load(&ordered) < tasks) usleep(1000);
}

/* Worker 1 reserves tasks ahead and then leaves the context: they are the policy's again, which hands out the highest
 * priority first. (Still reserved they would be what the other worker finds last.) Needs STARPATH_PREFETCH. */
static void reservations(void) {
  static struct starpu_codelet codelet = {ANYWHERE(hold_second), .name = "held"};
  static int priority[kQueue];
  int both[2] = {renumbered(0), renumbered(1)};
  unsigned context = make_context(&both[1], 1);
  starpu_pause();
  for (int i = 0; i < kQueue; i++) {
    priority[i] = kQueue - i;
    struct starpu_task* task = make_task(&codelet, &priority[i]);
    task->priority = priority[i];
    check(starpu_task_submit_to_ctx(task, context) == 0, "submit to the context");
  }
  starpu_resume();
  wait_for_ordered(2);
  starpu_sched_ctx_remove_workers(&both[1], 1, context);
  starpu_sched_ctx_add_workers(&both[0], 1, context);
  wait_for_ordered(kQueue);
  atomic_store(&gate_open, 1);
  check(starpu_task_wait_for_all_in_ctx(context) == 0, "wait for the context");
  for (int i = 1; i < kQueue; i++) check(order[i] < order[i - 1], "what was reserved went back to the policy");
  wait_until_left(both[1]);
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
}

enum { kShort = 2000, kMoreShort = 20000 };

static double one_microsecond(struct starpu_task* task, struct starpu_perfmodel_arch* arch, unsigned implementation) {
  (void)task;
  (void)arch;
  (void)implementation;
  return 1;
}

static void wait_for_the_others(void* buffers[], void* argument) {
  (void)buffers;
  while (argument != NULL && total() < kShort - 1) usleep(100);
  note(0);
}

static struct starpu_perfmodel short_model = {
    .type = STARPU_PER_ARCH, .arch_cost_function = one_microsecond, .symbol = "one_microsecond"};
static struct starpu_codelet short_codelet = {ANYWHERE(wait_for_the_others), .model = &short_model, .name = "short"};

/* Tasks that are said to be short, which a worker may take several of at a time. One that lasts keeps nobody from the
 * others. Needs STARPATH_ESTIMATOR=perfmodel: who learns how long it lasted leaves much to the one that does it. */
static void short_tasks(void) {
  for (int round = 0; round < 10; round++) {
    reset();
    hold_workers(&hold);
    for (int i = 0; i < kShort; i++) submit(make_task(&short_codelet, i == 197 * round ? &hold : NULL));
    release_workers(&hold);
    wait_all();
    check(total() == kShort, "each task ran once");
  }
}

/* The same, and a worker leaves the context in the middle of them. */
static void short_tasks_left(void) {
  int both[2] = {renumbered(0), renumbered(1)};
  unsigned context = make_context(both, 2);
  for (int round = 0; round < 20; round++) {
    reset();
    for (int i = 0; i < kMoreShort; i++)
      check(starpu_task_submit_to_ctx(make_task(&short_codelet, NULL), context) == 0, "submit to the context");
    hold_workers(&hold);
    starpu_sched_ctx_remove_workers(&both[round % 2], 1, context);
    release_workers(&hold);
    check(starpu_task_wait_for_all_in_ctx(context) == 0, "wait for the context");
    check(total() == kMoreShort, "each task ran once");
    wait_until_left(both[round % 2]);
    hold_workers(&hold);
    starpu_sched_ctx_add_workers(&both[round % 2], 1, context);
    release_workers(&hold);
  }
  hold_workers(&hold);
  starpu_sched_ctx_delete(context);
  release_workers(&hold);
}

/* Deleting a context makes StarPU dlclose the plug-in that the first context still runs. */
static void nodelete(void) {
  int both[2] = {renumbered(0), renumbered(1)};
  unsigned context = make_context(both, 2);
  starpu_sched_ctx_delete(context);
  for (int i = 0; i < kMany; i++) submit(make_task(&plain, NULL));
  wait_all();
  check(total() == kMany, "each task ran once after the plug-in was closed");
}

static atomic_int sizes = 0;

static void note_size(void* buffers[], void* argument) {
  first(buffers, argument);
  atomic_fetch_add(&sizes, starpu_combined_worker_get_size());
}

/* A codelet that could use several workers at once runs on one. */
static void parallel(void) {
  static struct starpu_codelet fork_join = {ANYWHERE(note_size), .type = STARPU_FORKJOIN, .max_parallelism = INT_MAX,
                                            .name = "fork_join"};
  static struct starpu_codelet spmd = {ANYWHERE(note_size), .type = STARPU_SPMD, .max_parallelism = INT_MAX,
                                       .name = "spmd"};
  for (int i = 0; i < kMany; i++) submit(make_task(i % 2 ? &fork_join : &spmd, NULL));
  wait_all();
  check(total() == kMany && sizes == kMany, "each parallel task ran once, on one worker");
}

/* Takes the place of StarPU's own function, which does something in debugging builds only. */
static atomic_int decisions = 0;

void starpu_sched_task_break(struct starpu_task* task) {
  check(task != NULL && task->cl != NULL, "a decision is about a task");
  atomic_fetch_add(&decisions, 1);
}

static void task_break(void) {
  for (int i = 0; i < kMany; i++) submit(make_task(&plain, NULL));
  wait_all();
  check(decisions == kMany, "each decision offers a break");
}

/* With profiling on, StarPU notes when a push ended: only starpu_push_task_end does that. */
static void push_end(void) {
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  struct starpu_task* task = make_task(&plain, NULL);
  task->detach = 0;
  task->destroy = 0;
  submit(task);
  check(starpu_task_wait(task) == 0, "wait for the task");
  const struct starpu_profiling_task_info* info = task->profiling_info;
  check(info != NULL && info->push_end_time.tv_sec + info->push_end_time.tv_nsec != 0, "the push's end was noted");
  starpu_task_destroy(task);
}

/* Empty bursts: workers fall asleep between them and must be woken each time. */
static void wake_up(void) {
  for (int round = 0; round < kMany; round++) {
    submit(make_task(&plain, NULL));
    if (round % 2 == 0) submit(make_task(&plain, NULL));
    wait_all();
  }
  check(total() == kMany + kMany / 2, "each task ran once");
}

static void again(void) {
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < kMany; i++) submit(make_task(&plain, NULL));
    starpu_shutdown(); /* waits for the tasks */
    check(total() == (round + 1) * kMany, "each task ran once");
    start();
  }
}

static int prefetches(void) { return starpu_sched_get_sched_policy()->prefetches; }

/* Who prefetches is asked at every start: the plug-in is still loaded. The option does nothing under eft. */
static void options_again(void) {
  const int without = prefetches(), with = strcmp(getenv("STARPU_SCHED"), "eft") != 0;
  starpu_shutdown();
  setenv("STARPATH_PREFETCH", "2", 1);
  start();
  check(prefetches() == with, "the policy prefetches as the option says");
  starpu_shutdown();
  unsetenv("STARPATH_PREFETCH");
  start();
  check(prefetches() == without, "the option of an earlier start is forgotten");
}

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {{"specific_worker", specific_worker},
             {"can_execute", can_execute},
             {"where", where},
             {"change_of_mind", change_of_mind},
             {"best_implementation", best_implementation},
             {"other_implementation", other_implementation},
             {"many_buffers", many_buffers},
             {"parameters", parameters},
             {"partial_model", partial_model},
             {"priorities", priorities},
             {"nan_model", nan_model},
             {"wrong_costs", wrong_costs},
             {"predicted", predicted},
             {"contexts", contexts},
             {"new_context", new_context},
             {"no_policy", no_policy},
             {"led", led},
             {"refused_then_left", refused_then_left},
             {"nodelete", nodelete},
             {"reservations", reservations},
             {"short_tasks", short_tasks},
             {"short_tasks_left", short_tasks_left},
             {"parallel", parallel},
             {"task_break", task_break},
             {"push_end", push_end},
             {"wake_up", wake_up},
             {"again", again},
             {"options_again", options_again}};

int main(int argc, char** argv) {
  alarm(100); /* a case that hangs fails */
  start();
  check(starpu_worker_get_count() == 2, "two workers");
  for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    if (argc != 2 || strcmp(argv[1], cases[i].name) != 0) continue;
    cases[i].run();
    starpu_shutdown();
    printf("PASS obligations %s policy=%s\n", argv[1], getenv("STARPU_SCHED"));
    return 0;
  }
  check(0, "a case of that name");
}
