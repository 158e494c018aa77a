// NBIA on tiles of one size after another: a GPU against one CPU core, copies in turn or beside the kernels (anthill,
// Figure 6).
#pragma once
#include <vector>

namespace starpath::bench {

/// Times of one tile. A tile is copied to the device, counted and voted on at one level, and its vote copied back.
struct SweepRow {
  int side;           // of the square tile, pixels
  double cpu_ms;      // one core
  double in_turn_ms;  // on one stream, waiting after each step
  double beside_ms;   // on `streams` streams: copies go on beside kernels
  int streams;        // of 2, 4, 8 and 16, those that were fastest
  bool equal;         // all votes of all ways are the same
};

/// Sides 32, 64, … 4096. Tiles are cut from the benchmark tile and lie in pinned memory. Throws std::runtime_error when
/// CUDA fails.
std::vector<SweepRow> sweep_nbia();

}  // namespace starpath::bench
