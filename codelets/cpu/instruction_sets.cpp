// Compiled with the kernels' options, and reports these options.
#include "codelets/cpu/instruction_sets.hpp"

// A macro that is defined, as these are, as 1.
#define STARPATH_TEXT(value) #value
#define STARPATH_VALUE(macro) STARPATH_TEXT(macro)
#define STARPATH_IS_DEFINED(macro, name) STARPATH_VALUE(macro)[0] == '1',

namespace starpath {

constinit const bool kKernelsUse[] = {STARPATH_INSTRUCTION_SETS(STARPATH_IS_DEFINED)};

}  // namespace starpath
