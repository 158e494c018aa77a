// How well each device class is served with a buffer. Pure.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace starpath::cluster {

/// StreamBuffer::speedups from estimated seconds on each class, the first of which is that of the cores (NaN: not
/// known). On an accelerator its speedup over the cores; on cores one over the highest speedup, as the policy ddwrr has
/// it, since the speedup of a core over itself would order nothing.
inline std::vector<double> buffer_weights(const std::vector<double>& seconds) {
  std::vector<double> weights(seconds.size(), std::numeric_limits<double>::quiet_NaN());
  double most = 0;
  for (std::size_t c = 1; c < weights.size(); ++c) {
    const double speedup = seconds[0] / seconds[c];
    if (!std::isfinite(speedup) || speedup <= 0) continue;
    weights[c] = speedup;
    most = std::max(most, speedup);
  }
  if (most > 0) weights[0] = 1 / most;
  return weights;
}

}  // namespace starpath::cluster
