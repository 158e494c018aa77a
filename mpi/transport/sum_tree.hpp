// Sums over the ranks of a job, as StarPU data.
#pragma once
#include <cstdint>
#include <span>

#include "mpi/transport/buffer_transport.hpp"

namespace starpath::mpi {

/// Every rank makes the same calls with as many values each. A rank adds its own values and those that its two children
/// in a tree of all ranks send, and passes the sum on; the sum then goes down the tree. Whole numbers: the order of
/// additions does not matter. For one thread, on which StarPU runs no task.
class SumTree {
 public:
  /// Nobody else uses `transport`. Rank 0 is the root.
  SumTree(BufferTransport& transport, int rank, int ranks) : transport_(transport), rank_(rank), ranks_(ranks) {}

  /// Makes each value the sum over all ranks. Waits for all of them.
  void sum(std::span<std::int64_t> values);

 private:
  BufferTransport& transport_;
  const int rank_, ranks_;
  BufferId next_tag_ = 0;
};

}  // namespace starpath::mpi
