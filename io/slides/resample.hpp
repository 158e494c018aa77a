// Separable resampling in integers.
#pragma once
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

/// For each of some neighbouring output pixels along one axis: which source pixels it is made of, and their weights.
/// Invariant: the weights of one output pixel sum to kWeightOne, and depend on its own coordinate only.
struct Taps {
  static constexpr std::int32_t kWeightOne = 1 << 14;
  struct Pixel {
    std::int32_t first;   // source pixel, counted from source_begin
    std::int32_t weight;  // index of its first weight in `weights`
    std::int32_t size;    // number of source pixels, >= 1
  };
  std::vector<Pixel> pixels;
  std::vector<std::uint16_t> weights;
  std::int64_t source_begin = 0;
  int source_size = 0;
  int count() const { return static_cast<int>(pixels.size()); }
};

/// Taps of `count` output pixels from coordinate `begin` on, of `scale` source pixels each. The source axis has
/// `source_extent` pixels; beyond its ends the outermost ones repeat. Output pixel i is the mean over [i*scale,
/// (i+1)*scale) when scale >= 1. Otherwise it is linear between the two source pixels whose centres enclose
/// (i + 1/2) * scale.
Taps make_taps(std::int64_t begin, int count, double scale, std::int64_t source_extent);

/// out(i, j) = sum of down's weights over rows of sum of across's weights over columns of `source`, rounded to nearest.
/// `source` starts at (across.source_begin, down.source_begin). Shapes: source = source sizes, out = counts of the two
/// taps.
void resample(RgbView source, const Taps& across, const Taps& down, View<Rgb> out);

}  // namespace starpath::io
