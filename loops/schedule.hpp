// The interface of schedules: a schedule decides how large the next block of a processor is.
#pragma once
#include <cstddef>
#include <vector>

namespace starpath::loops {

/// One processor of a loop: it runs blocks one after another (a CPU core, a GPU).
struct ProcessorSetup {
  std::size_t initial_block = 0;  ///< iterations; 0: 128, or less when the loop is short
  std::size_t block_factor = 0;   ///< block sizes are multiples of this; 0: as initial_block
  double known_rate = 0;          ///< iterations per microsecond, from a profile or a model; 0: unknown
};

struct LoopSetup {
  std::size_t iterations = 0;
  std::vector<ProcessorSetup> processors;
  double max_adaptive = 0.2;      ///< share of the iterations that the adaptive phase may use, in [0, 1]
  double min_change_rate = 0.01;  ///< a weight that changes by less is stable; in (0, 1)
  double growth = 1000;           ///< the block that HDSS's curve leads to, over the last one; above 1, finite
  double guided_share = 1;        ///< part of its share of the rest that HDSS gives a processor at once; in (0, 1]
};

/// The same with every 0 that stands for a default replaced. Throws std::invalid_argument, saying which value is wrong:
/// no processor, more than 2^62 iterations, max_adaptive, min_change_rate, growth or guided_share
/// out of its interval.
LoopSetup resolved(LoopSetup setup);

/// The gain of a processor by large blocks.
struct LargeBlocks {
  std::size_t block = 0;  ///< its rate rises much with the block, up to about here; 0: any block will do, or unknown
  double share = 0;       ///< with such blocks, its part of the rates of all processors
};

/// Block sizes. Calls that name different processors may come from different threads at once; calls that name the same
/// processor must not overlap. Constant time each.
class Schedule {
 public:
  virtual ~Schedule() = default;

  /// Iterations of this processor's next block. `left` iterations are not taken yet, and `available` (<= left) of them
  /// may be taken now. At most `available`; 0 when this schedule has nothing more for the processor. May be called
  /// several times for one block.
  virtual std::size_t size(unsigned processor, std::size_t left, std::size_t available) const = 0;

  /// The processor got a block of that many iterations.
  virtual void taken(unsigned processor, std::size_t iterations);

  /// The processor has run that many iterations in that time, transfers included. A time that is not finite or not
  /// above 0 measures nothing and is ignored.
  virtual void finished(unsigned processor, std::size_t iterations, double microseconds);

  /// So many iterations were taken but not run, and any processor may take them again.
  virtual void returned(std::size_t iterations);

  /// The processor will not come again.
  virtual void retired(unsigned processor);

  /// Measured iterations per microsecond of the processor; 0 when the schedule knows none.
  virtual double weight(unsigned processor) const;

  /// Whether blocks still serve to learn rates, with that many iterations left.
  virtual bool adaptive(std::size_t left) const;

  /// Whether, and how much, the processor gains by large blocks, as far as the schedule has learnt it.
  virtual LargeBlocks large_blocks(unsigned processor) const;
};

/// `wanted` iterations made a multiple of `factor` (downwards, but one factor at least) and at most `available`.
/// Anything that is not a number above 0 counts as one factor.
std::size_t rounded_block(double wanted, std::size_t factor, std::size_t available);

}  // namespace starpath::loops
