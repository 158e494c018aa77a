#include "loops/lane_plan.hpp"

#include <algorithm>

namespace starpath::loops {
namespace {

// Chosen by simulation (bench/papers/hdss).
struct LaneTuning {
  double blocks_to_begin = 4;     // large blocks that the owner's part must be
  double tiles_a_stride = 8;      // a stride should be that many large blocks, or a lane is worth it
  double least = 0.03, most = 8;  // iterations of a tile, in large blocks
  double first_part = 0.03;       // of the owner's part, times its share: the first tile
  double least_alone = 0.02;      // large blocks of a tile outside the lane
};
constexpr LaneTuning kTuning;

double owner_part(const LaneOutlook& outlook) { return outlook.large.share * outlook.left; }
double block_of(const LargeBlocks& large) { return static_cast<double>(large.block); }

}  // namespace

bool worth_a_lane(const LaneOutlook& outlook, double stride_iterations) {
  const double block = block_of(outlook.large);
  return owner_part(outlook) >= kTuning.blocks_to_begin * block && stride_iterations < kTuning.tiles_a_stride * block;
}

double lane_columns(const LaneOutlook& outlook) {
  return (owner_part(outlook) - block_of(outlook.large)) / std::max(1.0, outlook.rows_left);
}

double lane_tile(const LaneOutlook& outlook) {
  const double share = outlook.large.share, block = block_of(outlook.large);
  const double least = kTuning.least * block, most = kTuning.most * block;
  const double first = std::clamp(kTuning.first_part * share * owner_part(outlook), least, most);
  const double others_busy = share < 1 ? outlook.enabled * share / (1 - share) : most;
  return std::clamp(others_busy, first, most);
}

bool worth_a_tile(const LargeBlocks& large, std::size_t iterations) {
  return static_cast<double>(iterations) >= kTuning.least_alone * block_of(large);
}

}  // namespace starpath::loops
