// Whether this processor can run what the program was compiled for.
#include "apps/processor.hpp"

#include <cstdio>

#include "codelets/cpu/instruction_sets.hpp"

namespace starpath::apps {
namespace {

const char* missing_instructions() {
#ifdef __x86_64__
  const bool* wanted = kKernelsUse;
#define STARPATH_RETURN_IF_MISSING(macro, name) \
  if (*wanted++ && !__builtin_cpu_supports(name)) return name;
  STARPATH_INSTRUCTION_SETS(STARPATH_RETURN_IF_MISSING)
#undef STARPATH_RETURN_IF_MISSING
#endif
  return nullptr;
}

}  // namespace

bool processor_is_new_enough() {
  const char* const missing = missing_instructions();
  if (missing == nullptr) return true;
  std::fprintf(stderr,
               "starpath: built for processors with %s, which this one does not have; build it here, or with "
               "-DSTARPATH_MARCH= for every processor\n",
               missing);
  return false;
}

}  // namespace starpath::apps
