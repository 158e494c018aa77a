// Which profile a run uses.
#pragma once
#include <starpu.h>

#include <string>

#include "estimator/store/machine_profile.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// The profile that the options name, else the machine's own; "" for none. A simulation uses no profile that it was not
/// given: its times are those of another machine. Nor does a run whose classes the user named (STARPATH_CLASSES): the
/// same names may mean other workers in the next run.
inline std::string profile_in_use(const Options& options) {
#ifndef STARPU_SIMGRID
  if (options.machine_profile && options.classes.empty()) return machine_profile();
#endif
  return options.profile_file;
}

}  // namespace starpath
