// StarPU's clock: simulated time in a simulation.
#pragma once
#include <starpu.h>

namespace starpath {

/// Now, in seconds.
inline double seconds_now() { return starpu_timing_now() * 1e-6; }

}  // namespace starpath
