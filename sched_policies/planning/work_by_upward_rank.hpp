// How much work there is of each upward rank, and so how much goes before a task if the highest upward rank goes first.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace starpath {

/// Sums work by levels of upward rank, in any unit. The upward rank of a task is the length, in seconds, of the longest
/// chain of tasks that begins with it. A level spans a tenth, from 1 us to an hour; ranks beyond count at the ends. Not
/// thread-safe.
class WorkByUpwardRank {
 public:
  using Level = std::uint8_t;

  /// Eight times the binary logarithm of the microseconds, rounded down: from their exponent, and from how many of the
  /// seven roots their mantissa reaches. A pass over a graph asks for every task, and a logarithm takes longer.
  static Level level(double upward_rank) {
    constexpr std::array<double, 7> roots{1.0905077326652577, 1.189207115002721,  1.2968395546510096,
                                          1.4142135623730951, 1.5422108254079407, 1.6817928305074290,
                                          1.8340080864093424};
    const auto bits = std::bit_cast<std::uint64_t>(std::max(upward_rank, 1e-9) * 1e6);
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    const auto mantissa = std::bit_cast<double>((bits & (~std::uint64_t{0} >> 12)) | std::uint64_t{1023} << 52);
    int eighths = 0;
    for (const double root : roots) eighths += mantissa >= root;
    return static_cast<Level>(std::clamp(8 * exponent + eighths, 0, 255));
  }

  void add(Level level, double work) {
    highest_ = std::max(highest_, level);
    levels_[level].work += work;
    ++levels_[level].tasks;
  }
  /// Work that was added to that level before.
  void remove(Level level, double work) {
    Sum& sum = levels_[level];
    sum.work -= work;
    if (--sum.tasks > 0) return;
    sum.work = 0;  // no rounding errors pile up
    while (highest_ > 0 && levels_[highest_].tasks == 0) --highest_;
  }
  void clear() {
    std::fill_n(levels_.begin(), highest_ + 1, Sum{});
    highest_ = 0;
  }

  /// The work of all higher levels, and half of that of this level.
  double before(Level level) const {
    double work = levels_[level].work / 2;
    for (std::size_t higher = highest_; higher > level; --higher) work += levels_[higher].work;
    return work;
  }

 private:
  struct Sum {
    double work = 0;
    std::size_t tasks = 0;
  };

  std::array<Sum, 256> levels_{};
  Level highest_ = 0;  // level with tasks
};

}  // namespace starpath
