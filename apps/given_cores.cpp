// Functions of .preinit_array run before the constructors of all libraries (System V gABI, chapter 5, "Initialization
// and Termination Functions").
#include "apps/given_cores.hpp"

#include <sched.h>

#include <cstdlib>
#include <initializer_list>

namespace starpath::apps {
namespace {

cpu_set_t given;  // empty where the system does not say
bool is_known = false;

// No code of a library has run yet, so none may be called but the kernel.
#if defined(__has_attribute) && __has_attribute(no_sanitize)
__attribute__((no_sanitize("address", "thread", "undefined")))
#endif
void look_at_cores() {
  is_known = ::sched_getaffinity(0, sizeof given, &given) == 0;
}

__attribute__((section(".preinit_array"), used)) void (*const kFirstOfAll)() = look_at_cores;

}  // namespace

void take_given_cores() {
  bool are_set = false;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"}) {
    are_set = are_set || std::getenv(name) != nullptr;
    ::unsetenv(name);
  }
  if (are_set && is_known) ::sched_setaffinity(0, sizeof given, &given);
}

}  // namespace starpath::apps
