// The cores of one rank among several on a machine.
#pragma once
#include "mpi/network/network.hpp"

namespace starpath {

/// Binds the calling thread to this rank's part of the cores that it shares with other ranks. The threads that StarPU
/// starts later inherit it; without it, StarPU would bind the workers of each rank to the same cores. Changes nothing
/// when nothing is shared, or when a variable of StarPU's already says where workers go.
void take_core_share(const mpi::CoreShare& share);

}  // namespace starpath
