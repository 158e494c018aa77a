// The part of a handle that a block of iterations needs.
#pragma once
#include <starpu.h>

#include <cstddef>

#include "loops/block.hpp"
#include "loops/starpu/parallel_for.hpp"

namespace starpath {

/// A vector or matrix in main memory that is divided among blocks of any size. Blocks are handles of their own on parts
/// of the same memory: StarPU's partitions would have to be planned before the sizes are known.
class SplitData {
 public:
  /// Throws Error{usage} when the handle cannot be divided into `iterations` or the mode or halo is not allowed.
  SplitData(const LoopData& data, std::size_t iterations);

  /// Brings the data to main memory and keeps it there until release(). Error{runtime} when StarPU refuses.
  void acquire();
  void release();

  /// A new handle on the data that `block` needs. Any thread.
  starpu_data_handle_t register_block(loops::Block block) const;

 private:
  LoopData data_;
  std::size_t iterations_;
  bool matrix_ = false;
  bool acquired_ = false;
  std::size_t per_iteration_ = 0;  // elements of a vector, rows of a matrix
};

}  // namespace starpath
