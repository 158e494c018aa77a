// How much of a dependent loop an accelerator keeps for itself, and in what tiles.
#pragma once
#include <cstddef>

#include "loops/schedule.hpp"

namespace starpath::loops {

/// A lane's prospects. Iterations are those that are not taken.
struct LaneOutlook {
  LargeBlocks large;     ///< of its owner
  double left = 0;       ///< iterations of the loop
  double rows_left = 0;  ///< of the lane
  double enabled = 0;    ///< iterations of others that the lane's tiles have made possible
};

/// Whether a lane is worth beginning: strides of `stride_iterations` alone make no large blocks, and the owner's part
/// of what is left is some of them.
bool worth_a_lane(const LaneOutlook& outlook, double stride_iterations);

/// Columns for which the owner takes as long as the others take for the rest, but for one large block: by so much it
/// gets ahead, and its tiles may grow.
double lane_columns(const LaneOutlook& outlook);

/// Iterations of the lane's next tile: as many as the others are busy with meanwhile, but large enough for the owner to
/// be fast. The more of the loop is the owner's, the less it matters that others wait for its first tile.
double lane_tile(const LaneOutlook& outlook);

/// Whether a tile outside its lane is large enough for the owner to be of use.
bool worth_a_tile(const LargeBlocks& large, std::size_t iterations);

}  // namespace starpath::loops
