// The end of a program whose policy threw.
#include "sched_policies/adapter/adapter.hpp"

#include <cstdlib>
#include <string>

#include "sched_policies/adapter/shared_state.hpp"

namespace starpath {

void end_after_throw(std::string_view policy, const char* what) {
  report("policy '" + std::string(policy) + "' threw, so the program ends: " + what);
  std::abort();
}

}  // namespace starpath
