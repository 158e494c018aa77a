// What StarPU reads from the environment, looked at before StarPU does: it ends the process at a value it cannot use.
#pragma once

namespace starpath {

/// Throws Error{runtime}, which names the variable or folder and what it may be. Refused are a count that is no whole
/// number of 0 or more, a list of cores or devices that does not begin with a number, and a home (XDG_CACHE_HOME,
/// STARPU_HOME or HOME) in which StarPU cannot keep its models, and what check_hwloc_environment refuses.
void check_starpu_environment();

}  // namespace starpath
