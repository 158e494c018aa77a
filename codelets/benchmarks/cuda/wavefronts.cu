// A tile in squares of 32 x 32: a launch for each slant of squares, in a square a thread a row, one column behind the
// thread above.
#include <algorithm>

#include "codelets/benchmarks/wavefronts.hpp"
#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSide = 32;

/// Runs cell(x, y) for the squares of slant `slant`. The first of them is in row of squares `top`.
template <class Cell>
__global__ void __launch_bounds__(kSide) slant_kernel(int width, int height, int slant, int top, Cell cell) {
  const int row = top + static_cast<int>(blockIdx.x);
  const int x0 = (slant - row) * kSide, y = row * kSide + static_cast<int>(threadIdx.x);
  for (int step = 0; step < 2 * kSide - 1; ++step) {
    const int column = step - static_cast<int>(threadIdx.x);
    if (column >= 0 && column < kSide && x0 + column < width && y < height) cell(x0 + column, y);
    __syncthreads();  // the next step reads the values that this one wrote
  }
}

template <class Cell>
void run_slants(const KernelContext& context, const char* name, int width, int height, Cell cell) {
  if (width <= 0 || height <= 0) return;
  const int wide = static_cast<int>(parts_of(width, kSide)), high = static_cast<int>(parts_of(height, kSide));
  for (int slant = 0; slant < wide + high - 1; ++slant) {
    const int top = std::max(0, slant - wide + 1);
    const int squares = std::min(high - 1, slant) - top + 1;
    launch(context, name, dim3(static_cast<unsigned>(squares)), dim3(kSide), slant_kernel<Cell>, width, height, slant,
           top, cell);
  }
}

}  // namespace

void heat_step(const KernelContext& context, const HeatTile& tile) {
  run_slants(context, "heat_step", tile.now.width, tile.now.height, [=] __device__(int x, int y) {
    const float above = y > 0 ? tile.now.at(x, y - 1) : tile.above.at(x, 0);
    const float left = x > 0 ? tile.now.at(x - 1, y) : tile.left.at(0, y);
    tile.now.at(x, y) = starpath::detail::heat(tile.before.at(x + 1, y), tile.before.at(x, y + 1), above, left);
  });
}

void match_strings(const KernelContext& context, const MatchTile& tile) {
  const std::uint8_t* const down = tile.down.data();
  const std::uint8_t* const across = tile.across.data();
  run_slants(context, "match_strings", tile.scores.width, tile.scores.height, [=] __device__(int x, int y) {
    const std::int32_t above = y > 0 ? tile.scores.at(x, y - 1) : tile.above.at(x + 1, 0);
    const std::int32_t left = x > 0 ? tile.scores.at(x - 1, y) : tile.left.at(0, y);
    const std::int32_t diagonal = y == 0  ? tile.above.at(x, 0)
                                  : x > 0 ? tile.scores.at(x - 1, y - 1)
                                          : tile.left.at(0, y - 1);
    tile.scores.at(x, y) = starpath::detail::match_score(diagonal, above, left,
                                                         down[y] == across[x] ? tile.match : tile.mismatch, tile.gap);
  });
}

}  // namespace starpath::cuda
