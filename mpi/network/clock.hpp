// The clock of the protocols on this rank.
#pragma once
#include <chrono>

namespace starpath::mpi {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace starpath::mpi
