// Whether the StarPU of the program is one that the plug-in was built for.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <string>

namespace starpath {

/// What the structures that a plug-in shares with StarPU depend on.
struct StarpuKind {
  int major, minor;          // version
  bool simulates;            // tasks, in SimGrid
  unsigned workers;          // at most
  std::size_t codelet_size;  // bytes; depends on StarPU's limits of workers, buffers and implementations
};

/// That of the headers which the including file is compiled with: a constant of each file, since a plug-in made outside
/// may be compiled with others than the parts that it is linked with.
constexpr StarpuKind kStarpuOfHeaders = {.major = STARPU_MAJOR_VERSION,
                                         .minor = STARPU_MINOR_VERSION,
#ifdef STARPU_SIMGRID
                                         .simulates = true,
#else
                                         .simulates = false,
#endif
                                         .workers = STARPU_NMAXWORKERS,
                                         .codelet_size = sizeof(starpu_codelet)};

/// Why the StarPU of this process cannot use a plug-in that has a file compiled for `built`; "" if it can.
std::string misfit(const StarpuKind& built);

}  // namespace starpath
