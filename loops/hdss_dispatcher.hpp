// HDSS under the names of its paper: one object, one call a block.
#pragma once
#include <chrono>
#include <vector>

#include "loops/dispatcher.hpp"

namespace starpath::loops {

/// The time of a block is measured from the call that returned it to the thread's next call. So the thread must call
/// again as soon as its block and the block's transfers are done. Threads may call at once, each with another
/// thread_id. Source: hdss-2013 figures 4 and 5.
///
///   HDSSDispatcher dispatcher(n_threads, n_iterations);          // shared
///   while (dispatcher.fetch_block(thread_id, start, size)) run(start, size);
class HDSSDispatcher {
 public:
  /// A null array stands for 128 everywhere. Throws std::invalid_argument when n_processors or a block size or factor
  /// is not above 0, n_iterations is negative, or max_adaptive_percent (a share, in spite of its name) is outside [0,
  /// 1].
  HDSSDispatcher(int n_processors, int n_iterations, const int* initial_block_sizes = nullptr,
                 const int* block_factors = nullptr, float max_adaptive_percent = 0.2F);

  /// 1 with the next block of the thread, or 0 when the loop is through.
  int fetch_block(int thread_id, int& start_index, int& block_size);

 private:
  struct alignas(64) Thread {
    Block block;
    std::chrono::steady_clock::time_point since;
  };
  Dispatcher dispatcher_;
  std::vector<Thread> threads_;
};

}  // namespace starpath::loops
