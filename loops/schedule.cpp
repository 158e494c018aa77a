#include "loops/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace starpath::loops {
namespace {

constexpr std::size_t kMostIterations = std::size_t{1} << 62;
constexpr std::size_t kDefaultBlock = 128;  // hdss-2013 section 3.1

// Four doubling blocks of every processor fit into the adaptive phase of a short loop.
std::size_t default_initial_block(const LoopSetup& setup) {
  const double budget = setup.max_adaptive * static_cast<double>(setup.iterations);
  const double share = budget / (15.0 * static_cast<double>(setup.processors.size()));
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::min(share, 1e6)), 1, kDefaultBlock);
}

}  // namespace

LoopSetup resolved(LoopSetup setup) {
  if (setup.processors.empty()) throw std::invalid_argument("a loop needs a processor to run on");
  if (setup.iterations > kMostIterations) throw std::invalid_argument("a loop has at most 2^62 iterations");
  if (!(setup.max_adaptive >= 0 && setup.max_adaptive <= 1))
    throw std::invalid_argument("max_adaptive is a share of the iterations: give a value in [0, 1]");
  if (!(setup.min_change_rate > 0 && setup.min_change_rate < 1))
    throw std::invalid_argument("min_change_rate is a relative change: give a value above 0 and below 1");
  if (!(setup.growth > 1) || !std::isfinite(setup.growth))
    throw std::invalid_argument("growth is the next block over the last one: give a number above 1");
  if (!(setup.guided_share > 0 && setup.guided_share <= 1))
    throw std::invalid_argument("guided_share is a part of a share: give a value above 0 and at most 1");
  const std::size_t initial = default_initial_block(setup);
  for (ProcessorSetup& processor : setup.processors) {
    if (processor.initial_block == 0) processor.initial_block = initial;
    if (processor.block_factor == 0) processor.block_factor = processor.initial_block;
    if (!std::isfinite(processor.known_rate) || processor.known_rate < 0) processor.known_rate = 0;
  }
  return setup;
}

void Schedule::taken(unsigned, std::size_t) {}
void Schedule::finished(unsigned, std::size_t, double) {}
void Schedule::returned(std::size_t) {}
void Schedule::retired(unsigned) {}
double Schedule::weight(unsigned) const { return 0; }
bool Schedule::adaptive(std::size_t) const { return false; }
LargeBlocks Schedule::large_blocks(unsigned) const { return {}; }

std::size_t rounded_block(double wanted, std::size_t factor, std::size_t available) {
  if (!(wanted >= static_cast<double>(factor))) return std::min(factor, available);
  if (wanted >= static_cast<double>(available)) return available;
  const auto whole = static_cast<std::size_t>(wanted);
  return std::min(whole - whole % factor, available);
}

}  // namespace starpath::loops
