// Turns the messages of StarPU and hwloc that end the process into one line.
#pragma once

namespace starpath {

/// While it lives, a process that StarPU or hwloc end (abort, segmentation fault, exit) ends with the exit code of
/// ErrorKind::runtime and one line on standard error: "starpath: StarPU <doing>: <its reason>; check ...". Without it,
/// they print a stack trace and abort for a value in the environment that they cannot use. Text for standard error is
/// held back until the guard goes, or lost with the trace. One at a time in a process; other threads may run. Where no
/// temporary file can be had, it guards nothing.
class StarpuGuard {
 public:
  /// `doing` outlives the guard, as in "does not start".
  explicit StarpuGuard(const char* doing);
  ~StarpuGuard();
  StarpuGuard(const StarpuGuard&) = delete;
  StarpuGuard& operator=(const StarpuGuard&) = delete;
};

}  // namespace starpath
