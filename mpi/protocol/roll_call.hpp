// Whether every rank is ready to work, before rank 0 hands anything out. Pure.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "mpi/protocol/agreement.hpp"
#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/messages.hpp"

namespace starpath::mpi {

/// Takes the ranks' messages before there is a Manager, in any order. Not thread-safe.
class RollCall {
 public:
  RollCall(int ranks, Agreement agreement) : agreement_(std::move(agreement)) {
    for (int rank = 1; rank < ranks; ++rank) missing_.insert(rank);
  }

  void receive(int rank, const ToManager& message) {
    if (failure_) return;
    if (const auto* failed = std::get_if<Failed>(&message)) failure_ = RankFailure{rank, failed->kind, failed->reason};
    if (const auto* hello = std::get_if<Hello>(&message)) {
      missing_.erase(rank);
      const std::string difference = disagreement(agreement_, hello->agreement);
      if (!difference.empty()) failure_ = RankFailure{rank, kMismatch, difference};
    }
  }
  /// All are ready, or one of them never will be.
  bool over() const { return failure_ || missing_.empty(); }
  const std::optional<RankFailure>& failure() const { return failure_; }

 private:
  const Agreement agreement_;
  std::set<int> missing_;
  std::optional<RankFailure> failure_;
};

}  // namespace starpath::mpi
