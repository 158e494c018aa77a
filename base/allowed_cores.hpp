// How many cores a process may keep busy.
#pragma once

namespace starpath {

/// Cores that the calling thread may run on; 1 where the system does not say. A quota on processor time
/// (base/cgroup.hpp) counts as so many cores, rounded up.
int allowed_cores();

/// The same without the quota.
int bound_cores();

/// What of a quota falls to this process, as cores rounded up; as many as there are where there is no quota.
/// `processes` share it. At least 1.
int quota_cores(int processes = 1);

}  // namespace starpath
