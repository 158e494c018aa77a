#include "base/allowed_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/cgroup.hpp"

namespace starpath {

int bound_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

int quota_cores(int processes) {
  const double cpus = cgroup_cpus().value_or(std::numeric_limits<int>::max());
  const double mine = std::ceil(cpus / std::max(processes, 1));
  return static_cast<int>(std::clamp<double>(mine, 1, std::numeric_limits<int>::max()));
}

int allowed_cores() { return std::min(bound_cores(), quota_cores()); }

}  // namespace starpath
