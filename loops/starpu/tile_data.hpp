// The data that the tiles of a dependent loop read and write.
#pragma once
#include <starpu.h>

#include <cstddef>

#include "loops/wavefront.hpp"

namespace starpath {

/// The cl_arg of a wavefront's codelet: which iterations its buffers hold.
struct LoopTile {
  loops::Tile tile;
  const void* argument = nullptr;  ///< LoopOptions::argument
};

/// Which elements of a matrix a tile gets.
enum class TilePart {
  core,   ///< those of its iterations, and with STARPU_R a margin on each side
  above,  ///< margin.above rows over those, from margin.left columns before to margin.right after them
  left,   ///< margin.left columns before those, as many rows
};

/// A buffer of the codelet: a matrix (nx columns, ny rows), in which iteration (i, j) is the element in row `row` + i
/// and column `column` + j. All that a tile gets must lie in the matrix: values at the border of the loop are elements
/// too. Results of earlier tiles are read through `above` and `left`: a buffer with a margin would be stale on a
/// device. The same handle may be given several times.
struct TileData {
  struct Margin {
    std::size_t above = 0, below = 0, left = 0, right = 0;
  };

  starpu_data_handle_t handle = nullptr;
  starpu_data_access_mode mode = STARPU_R;  ///< STARPU_R, or without margin STARPU_W or STARPU_RW
  bool whole = false;                       ///< every tile gets all of the handle, of any kind, with STARPU_R
  TilePart part = TilePart::core;
  Margin margin = {};
  std::size_t row = 0, column = 0;
};

}  // namespace starpath
