/* Somebody else's StarPU program: sums 1 to 100 in tasks and says which policy ran them. */
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdio.h>

static void add(void* buffers[], void* argument) {
  int number;
  starpu_codelet_unpack_args(argument, &number);
  *(int*)STARPU_VARIABLE_GET_PTR(buffers[0]) += number;
}

static struct starpu_codelet codelet = {.cpu_funcs = {add}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "add"};

int main(void) {
  int sum = 0;
  if (starpu_init(NULL) != 0) return 1;
  starpu_data_handle_t handle;
  starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&sum, sizeof(sum));
  for (int number = 1; number <= 100; number++)
    if (starpu_task_insert(&codelet, STARPU_RW, handle, STARPU_VALUE, &number, sizeof(number), 0) != 0) return 1;
  starpu_data_unregister(handle);
  const char* policy = starpu_sched_get_sched_policy()->policy_name;
  printf("%s sum=%d policy=%s\n", sum == 5050 ? "PASS" : "FAIL", sum, policy);
  starpu_shutdown();
  return sum == 5050 ? 0 : 1;
}
