/* A program whose StarPU says that it is a later version. Knows StarPU only. Prints its PASS line when it runs under a
 * policy of StarPU's. */
#include "tests/sched_policies/live/live_support.h"

void starpu_get_version(int* major, int* minor, int* release) {
  *major = STARPU_MAJOR_VERSION;
  *minor = 99;
  *release = 0;
}

int main(void) { return pass_under_another_policy("other_version"); }
