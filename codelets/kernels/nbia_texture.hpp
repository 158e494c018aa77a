// Texture of NBIA: co-occurrence levels and local binary patterns of single pixels, and their counts.
#pragma once
#include <cstdint>

#include "codelets/kernels/lab_color.hpp"

namespace starpath {

inline constexpr int kNbiaLevels = 16;  // gray levels of a co-occurrence matrix
inline constexpr int kLbpBins = 10;
inline constexpr int kNbiaMaxPixels = 1 << 25;  // of one image

/// All that NBIA counts of one image; zero-initialise before counting. Sums are exact up to kNbiaMaxPixels.
struct NbiaCounts {
  /// pairs[channel][16 * a + b]: how often a pixel of level a has a pixel of level b to its right, lower right, below
  /// or lower left (four angles, distance 1), both in the image. Channels L*, a*, b*.
  std::uint32_t pairs[3][kNbiaLevels * kNbiaLevels];
  std::uint32_t lbp[kLbpBins];  // of the pixels whose eight neighbours lie in the image
  std::uint32_t glass;          // pixels that are glass
  std::uint32_t pixels;
};

struct NbiaPixel {
  std::uint8_t levels[3];  // 0..15 each
  bool glass;
};

/// L* in 16 equal parts of 0..100, a* and b* in 16 equal parts of -64..64, clamped; glass has L* > 85 and chroma < 8.
constexpr NbiaPixel nbia_pixel(Lab p) {
  const auto clamped = [](std::int32_t level) {
    return static_cast<std::uint8_t>(level < 0 ? 0 : level > kNbiaLevels - 1 ? kNbiaLevels - 1 : level);
  };
  constexpr std::int32_t light = 85 * kLabUnit, chroma = 8 * kLabUnit;
  return {{clamped(p.l * kNbiaLevels / (100 * kLabUnit)), clamped((p.a + 64 * kLabUnit) >> 11),
           clamped((p.b + 64 * kLabUnit) >> 11)},
          p.l > light && p.a * p.a + p.b * p.b < chroma * chroma};
}

/// Whether a sample on the circle of radius 1 is at least the centre. On the axes the sample is a neighbour itself.
constexpr bool lbp_axis(std::int32_t centre, std::int32_t neighbour) { return neighbour >= centre; }
/// On a diagonal it is interpolated bilinearly between the centre, the two neighbours beside the diagonal and the one
/// on it, with weights of 22, 53, 53 and 128 in 256.
constexpr bool lbp_diagonal(std::int32_t centre, std::int32_t across, std::int32_t along, std::int32_t diagonal) {
  return 53 * (across + along) + 128 * diagonal >= (256 - 22) * centre;
}

/// Rotation-invariant uniform pattern (Ojala, Pietikainen and Maenpaa 2002, P = 8, R = 1) of eight samples around the
/// circle, one a bit: the number of set bits when they are one run, else 9.
constexpr int lbp_bin(unsigned samples) {
  const unsigned turned = ((samples << 1) | (samples >> 7)) & 255U;
  int changes = 0, set = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    changes += static_cast<int>((samples ^ turned) >> bit & 1U);
    set += static_cast<int>(samples >> bit & 1U);
  }
  return changes <= 2 ? set : 9;
}

/// Bits of the eight samples around the middle of three rows of L*. `above`, `middle` and `below` point to the middle
/// column.
constexpr unsigned lbp_samples(const std::int32_t* above, const std::int32_t* middle, const std::int32_t* below) {
  const std::int32_t c = middle[0], e = middle[1], w = middle[-1], n = above[0], s = below[0];
  return unsigned{lbp_axis(c, e)} | unsigned{lbp_diagonal(c, e, n, above[1])} << 1 | unsigned{lbp_axis(c, n)} << 2 |
         unsigned{lbp_diagonal(c, w, n, above[-1])} << 3 | unsigned{lbp_axis(c, w)} << 4 |
         unsigned{lbp_diagonal(c, w, s, below[-1])} << 5 | unsigned{lbp_axis(c, s)} << 6 |
         unsigned{lbp_diagonal(c, e, s, below[1])} << 7;
}

}  // namespace starpath
