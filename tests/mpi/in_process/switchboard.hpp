// A network whose ranks are threads of this process, so that sanitizers see all of them.
#pragma once
#include <functional>

namespace starpath::mpi {

/// Runs `body` on `ranks` threads. The Network that one of them makes is that of its rank; messages take a random
/// while, in order between two ranks. One call at a time. An exception in a body ends the program.
void on_ranks(int ranks, unsigned seed, const std::function<void(int rank)>& body);

}  // namespace starpath::mpi
