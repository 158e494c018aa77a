// hwloc's environment variables that name another machine than this one, looked at before StarPU starts.
#pragma once

namespace starpath {

/// Throws Error{runtime}, which names the variable and what is wrong with it, when HWLOC_XMLFILE or STARPU_HWLOC_INPUT
/// is a file that hwloc cannot load, HWLOC_SYNTHETIC a description that it cannot read, HWLOC_FSROOT no root of a Linux
/// system, or the machine that they describe has no core or no memory. By its version and by what the process did
/// before, hwloc goes on with this machine then, or StarPU ends the process. Costs nothing where none of them is set.
void check_hwloc_environment();

}  // namespace starpath
