// What ranks must agree in. Pure.
#pragma once
#include <string>

#include "mpi/protocol/messages.hpp"

namespace starpath::mpi {

inline constexpr int kMismatch = 5;  // ErrorKind: how a rank fails that does not agree

/// What `other`, of another rank, has that rank 0 has not, in words; empty when they agree.
std::string disagreement(const Agreement& own, const Agreement& other);

}  // namespace starpath::mpi
