// Which nuclei count once all tiles are done. Two tiles may see an object at their seam a little differently: each of
// them may then own a version of it, or neither. Pure: the decision depends on the set of nuclei, not on the order in
// which tiles finished.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipelines/run/tiling.hpp"
#include "pipelines/segmentation/ownership.hpp"

namespace starpath {

/// A nucleus that may meet another tile's: its bounding box leaves its own core, or it is a candidate or on glass.
struct SeamNucleus {
  std::int64_t tile;
  io::NucleusRole role;
  Rect box;
};

/// True when two nuclei, given by their positions in the list, share a pixel. Called only when their boxes meet.
using Overlap = std::function<bool(std::size_t, std::size_t)>;

/// Decides for `nuclei`, which must come in the order (first_y, first_x, tile) and include every nucleus that shares a
/// pixel with another tile's. Owned nuclei count unless an earlier one of another tile that counts overlaps them; then
/// candidates count unless they overlap one that counts or that its owner left out as glass. Returns one entry a
/// nucleus: does it count?
std::vector<bool> resolve_seams(std::span<const SeamNucleus> nuclei, const Overlap& overlap);

}  // namespace starpath
