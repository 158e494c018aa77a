// A module's codelet as a run takes it.
#pragma once
#include <starpu.h>

#include <string>

namespace starpath {

/// What of a module's codelet cannot be run, and what to do about it; "" when all can.
std::string flaw_of_codelet(const starpu_codelet& declared);

/// Runs every implementation of `declared` for cores and CUDA where it may run, and keeps its exceptions from StarPU.
/// cl_arg of its tasks points to DeclaredArguments.
starpu_codelet guarded_codelet(const starpu_codelet& declared);

}  // namespace starpath
