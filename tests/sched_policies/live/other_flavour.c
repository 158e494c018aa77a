/* A program whose StarPU looks like a simulated one: only there is starpu_pthread_exit a function. Knows StarPU only.
 * Prints its PASS line when it runs under a policy of StarPU's. */
#include "tests/sched_policies/live/live_support.h"

#undef starpu_pthread_exit
int starpu_pthread_exit(void* result) {
  (void)result;
  return 0;
}

int main(void) {
  alarm(60); /* a run that hangs fails */
  check(starpu_init(NULL) == 0, "starpu_init");
  check(strcmp(starpu_sched_get_sched_policy()->policy_name, getenv("STARPU_SCHED")) != 0, "another policy is in use");
  starpu_shutdown();
  pass("other_flavour");
  return 0;
}
