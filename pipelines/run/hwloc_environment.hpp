// hwloc's environment variables that name another machine than this one, looked at before StarPU starts.
#pragma once

namespace starpath {

/// Throws Error{runtime}, which names the variable and what is wrong with it:
///   - HWLOC_XMLFILE, STARPU_HWLOC_INPUT: a file that hwloc cannot load.
///   - HWLOC_SYNTHETIC: a description that it cannot read.
///   - HWLOC_FSROOT: no root of a Linux system.
///   - any of them: the machine has no core or no memory.
/// Some versions of hwloc go on with this machine then, and some StarPU ends the process. Costs nothing where none of
/// them is set.
void check_hwloc_environment();

}  // namespace starpath
