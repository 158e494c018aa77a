/* A program whose StarPU looks like a simulated one: only there is starpu_pthread_exit a function. Knows StarPU only.
 * Prints its PASS line when it runs under a policy of StarPU's. */
#include "tests/sched_policies/live/live_support.h"

#undef starpu_pthread_exit
int starpu_pthread_exit(void* result) {
  (void)result;
  return 0;
}

int main(void) { return pass_under_another_policy("other_flavour"); }
