// How much of a dependent loop an accelerator keeps for itself, and the sizes of its tiles.
#pragma once
#include <cstddef>

#include "loops/schedule.hpp"

namespace starpath::loops {

/// A lane's prospects. Only iterations that are not taken count.
struct LaneOutlook {
  LargeBlocks large;     ///< of its owner
  double left = 0;       ///< iterations of the loop
  double rows_left = 0;  ///< of the lane
  double enabled = 0;    ///< iterations of others that the lane's tiles have made possible
};

/// Whether a lane is worth beginning: strides of `stride_iterations` alone make no large blocks, and the owner's part
/// of the rest is several strides.
bool worth_a_lane(const LaneOutlook& outlook, double stride_iterations);

/// Width of a lane, in columns. The owner needs as long for it as the others need for the rest, less one large block.
/// This lead lets the owner's tiles grow.
double lane_columns(const LaneOutlook& outlook);

/// Iterations of the lane's next tile. The others are busy while it runs, and it is large enough for the owner to be
/// fast. The first tile grows with the owner's share of the loop, because fewer others wait for it then.
double lane_tile(const LaneOutlook& outlook);

/// Whether a tile outside its lane is large enough for the owner to be of use.
bool worth_a_tile(const LargeBlocks& large, std::size_t iterations);

}  // namespace starpath::loops
