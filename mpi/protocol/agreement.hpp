// The values in which ranks must agree. Pure.
#pragma once
#include <string>

#include "mpi/protocol/messages.hpp"

namespace starpath::mpi {

inline constexpr int kMismatch = 5;  // ErrorKind: how a rank fails that does not agree

/// The difference between `other`, of another rank, and rank 0's own, in words; empty when they agree.
std::string disagreement(const Agreement& own, const Agreement& other);

}  // namespace starpath::mpi
