// Checks the environment variables of StarPU before StarPU reads them: it ends the process at a value it cannot use.
#pragma once

namespace starpath {

/// Throws Error{runtime}, which names the variable or folder and the allowed values. It refuses a count that is no
/// whole number of 0 or more, and a list of cores or devices that does not begin with a number. It also refuses
/// everything that check_starpu_home and check_hwloc_environment refuse.
void check_starpu_environment();

}  // namespace starpath
