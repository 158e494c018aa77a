// HDSS: learns the rate of each processor on small blocks, then divides the rest in proportion.
#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

#include "loops/log_fit.hpp"
#include "loops/schedule.hpp"

namespace starpath::loops {

/// Adaptive phase. A processor's blocks double from its initial block until four are issued. Then a ln(x) + b is fitted
/// to its measured rates. While the curve rises, the next block is `growth` times the last one. The processor's weight
/// is its last rate. It is stable
/// - when it differs from the previous rate, or from the value of the curve, by less than min_change_rate; or
/// - when the curve no longer rises by that much.
/// The phase ends when all weights are stable, or when max_adaptive of the iterations are taken. An adaptive block is
/// at most max_adaptive of what the processor would get in the completion phase, or its last block. This bounds the
/// imbalance that a wrong first estimate can cause, and the time for which dependent iterations wait.
///
/// Completion phase (MGSS). block = available * w_i / sum of w. All iterations that are left are available, except on
/// wavefronts. A processor without a weight counts as the mean of the others and gets initial blocks. A weight that was
/// not stable when the phase began still follows larger blocks.
///
/// A known rate replaces the first measurements. The first block is then as large as an adaptive block may be, and
/// confirms the rate or not.
///
/// Source: hdss-2013 section 3.2. The text takes the next block from "the slope of the fitted curve is equal to
/// a / MIN_CHANGE_RATE", which holds at no block, as the slope at block x is a / x. Its Figure 12 goes from 8,192 to
/// 8M: a thousand times, which is the default of `growth`.
class Hdss final : public Schedule {
 public:
  static constexpr unsigned kPointsForFit = 4;

  /// Throws as resolved() does.
  explicit Hdss(const LoopSetup& setup);

  std::size_t size(unsigned processor, std::size_t left, std::size_t available) const override;
  void taken(unsigned processor, std::size_t iterations) override;
  void finished(unsigned processor, std::size_t iterations, double microseconds) override;
  void retired(unsigned processor) override;
  double weight(unsigned processor) const override { return processors_[processor].weight; }
  bool adaptive(std::size_t left) const override;
  LargeBlocks large_blocks(unsigned processor) const override;

  bool stable(unsigned processor) const { return processors_[processor].stable; }

 private:
  struct alignas(64) Processor {  // a cache line of its own: processors write theirs at every block
    LogFit fit;
    double weight = 0;  // 0: unknown
    std::size_t next = 0;
    std::size_t initial = 0;
    std::size_t factor = 0;
    std::size_t last_taken = 0;
    std::size_t last_measured = 0;
    std::size_t large = 0;  // the block at which the slope of its first curve is min_change_rate of what it was
    double large_from = 0;  // the rate that was measured then
    unsigned issued = 0;
    bool stable = false;
    bool gone = false;
  };

  double share(const Processor& state, double weight) const;
  void set_weight(Processor& state, double weight);
  void set_stable(Processor& state);
  void plan_next(Processor& state, std::size_t measured);

  std::vector<Processor> processors_;
  std::size_t iterations_;
  std::size_t adaptive_limit_;
  double max_adaptive_;
  double min_change_rate_;
  double growth_;
  double guided_share_;
  // Read at every fetch, written only when a weight changes.
  alignas(64) std::atomic<double> known_weight_{0};
  std::atomic<unsigned> known_{0};
  std::atomic<unsigned> live_{0};
  std::atomic<unsigned> stable_{0};
};

}  // namespace starpath::loops
