/* Checks where workers run. Arguments WORKER:PU:CPU: StarPU must have bound the worker to the logical thread PU, and
 * its tasks must be allowed on the operating system's CPU and on no other. */
#define _GNU_SOURCE
#include <sched.h>

#include "tests/sched_policies/live/live_support.h"

static cpu_set_t allowed[STARPU_NMAXWORKERS];

static void look(void* buffers[], void* argument) {
  (void)buffers;
  (void)argument;
  sched_getaffinity(0, sizeof(cpu_set_t), &allowed[starpu_worker_get_id_check()]);
}

static struct starpu_codelet look_codelet = {.cpu_funcs = {look}, .name = "look"};

int main(int argc, char** argv) {
  start();
  check(argc > 1, "an argument");
  for (int i = 1; i < argc; i++) {
    unsigned worker, pu, cpu;
    check(sscanf(argv[i], "%u:%u:%u", &worker, &pu, &cpu) == 3, "WORKER:PU:CPU");
    check(starpu_worker_get_bindid((int)worker) == (int)pu, "the worker is bound to the thread that the list gives it");
    struct starpu_task* task = make_task(&look_codelet, NULL);
    task->execute_on_a_specific_worker = 1;
    task->workerid = worker;
    submit(task);
    starpu_task_wait_for_all();
    check(CPU_COUNT(&allowed[worker]) == 1 && CPU_ISSET(cpu, &allowed[worker]), "its tasks run on that CPU alone");
  }
  starpu_shutdown();
  pass("bound_workers");
  return 0;
}
