// Hands out the blocks of a loop: each iteration to exactly one processor.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "loops/block.hpp"
#include "loops/schedule.hpp"

namespace starpath::loops {

/// Calls that name different processors may come from different threads at once; calls that name the same processor
/// must not overlap. The one step that processors share is a compare-and-swap of where the rest of the loop begins;
/// sizes are computed outside of it. Every iteration below `iterations` is in exactly one block that was fetched and
/// not given back. Source: hdss-2013 section 3.1.
class Dispatcher {
 public:
  Dispatcher(std::size_t iterations, std::unique_ptr<Schedule> schedule)
      : iterations_(iterations), schedule_(std::move(schedule)) {}

  /// The next block of this processor, which then runs it; no block when there is nothing for it (any more).
  Block fetch(unsigned processor);

  /// The processor has run `block` in that time, transfers included; see Schedule::finished.
  void finished(unsigned processor, Block block, double microseconds) {
    schedule_->finished(processor, block.size, microseconds);
  }

  /// `block` was fetched but not run: the next processor that fetches gets it.
  void give_back(Block block);

  /// The processor will not fetch again. A block that it holds must be given back too, or finish.
  void retire(unsigned processor) { schedule_->retired(processor); }

  /// From now on nobody gets a block.
  void close() { closed_.store(true, std::memory_order_relaxed); }

  /// Iterations that are in no block, those given back included.
  std::size_t left() const;

  std::size_t iterations() const { return iterations_; }
  const Schedule& schedule() const { return *schedule_; }

 private:
  Block fetch_returned(unsigned processor);

  const std::size_t iterations_;
  const std::unique_ptr<Schedule> schedule_;
  std::atomic<bool> closed_{false};
  std::atomic<std::size_t> returned_blocks_{0};
  mutable std::mutex returned_mutex_;  // guards returned_
  std::vector<Block> returned_;
  alignas(64) std::atomic<std::size_t> next_{0};
};

}  // namespace starpath::loops
