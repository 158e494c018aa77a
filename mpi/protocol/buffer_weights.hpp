// How well each device class is served with a buffer. Pure.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace starpath::mpi {

/// StreamBuffer::speedups from the estimated seconds on each class (NaN: not known). The first class is that of the
/// cores. The weight on an accelerator is its speedup over the cores. The weight on cores is one over the highest
/// speedup, as in the policy ddwrr: the speedup of cores over themselves is always 1 and would order nothing.
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

}  // namespace starpath::mpi
