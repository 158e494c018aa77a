// The cores of one rank among several on a machine.
#pragma once
#include "mpi/network/network.hpp"

namespace starpath::apps {

/// Binds the calling thread, and with it what StarPU starts later, to this rank's part of the cores that it shares with
/// other ranks: StarPU would bind the workers of each of them to the same ones. Leaves everything as it is when nothing
/// is shared or when a variable of StarPU's already says where workers go.
void take_core_share(const cluster::CoreShare& share);

}  // namespace starpath::apps
