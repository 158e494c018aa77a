/* A program whose StarPU seems to have codelets of another size, as one has that was configured for more workers. Knows
 * StarPU only. Prints its PASS line when it runs under a policy of StarPU's. */
#include "tests/sched_policies/live/live_support.h"

/* Takes the place of StarPU's own codelet of empty tasks, which this program does not use. */
extern char larger[sizeof(struct starpu_codelet) + sizeof(unsigned long)] __asm__("starpu_codelet_nop");
char larger[sizeof(struct starpu_codelet) + sizeof(unsigned long)];

int main(void) { return pass_under_another_policy("other_limits"); }
