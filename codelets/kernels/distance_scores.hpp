// From the maps of HoVer-Net to scores whose relief (marked_relief.hpp) parts its nuclei. Source: Graham et al.,
// "HoVer-Net: Simultaneous segmentation and classification of nuclei in multi-tissue histology images", Medical Image
// Analysis 58 (2019), the post-processing of section 3.2, equations for S_m, the markers M and the energy E. What
// differs: the paper leaves open how Sobel's responses are scaled, and the authors' program scales them to the least
// and largest one of a tile; here the scale is fixed, so that values do not depend on tiles. Gradients lower the score
// of the inside, which markers and energy are both made of, in place of being compared with a threshold first.
#pragma once
#include <array>
#include <cstdint>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

// The kernel has no CUDA source: it is part of the operation read_scores, which reads files on a core.
/// How far the filter reaches, in pixels.
inline constexpr int kDistanceReach = 5;

/// Sobel's taps over 2 * kDistanceReach + 1 pixels: a binomial of order 10, and its derivative.
inline constexpr std::array<std::int32_t, 11> kDistanceSmoothing = {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1};
inline constexpr std::array<std::int32_t, 11> kDistanceDerivative = {-1, -8, -27, -48, -42, 0, 42, 48, 27, 8, 1};

/// The response to a fall from 254 to 0 between two pixels is this times 254.
inline constexpr std::int64_t kDistanceUnit = 126 * 1024;

/// What a Sobel response takes from a score: nothing where the distance rises, 255 where it falls from its largest to
/// its least value between two pixels. Rounded down.
constexpr int fall_of(std::int64_t response) {
  const std::int64_t fall = response >= 0 ? 0 : -response * 255 / (254 * kDistanceUnit);
  return static_cast<int>(fall < 255 ? fall : 255);
}

STARPATH_DECLARE_KERNEL(
    /// `maps`: red is the score of nuclei, 0..255; green and blue are the horizontal and the vertical distance from the
    /// middle of a nucleus, 127 * distance + 128 of -1..1. nucleus = red. inside = max(0, red - max(fall_of(Sobel along
    /// x of green), fall_of(Sobel along y of blue))). Beyond the image the outermost pixels repeat.
    void distance_scores(const KernelContext& context, View<const Rgb> maps, View<std::uint8_t> nucleus,
                         View<std::uint8_t> inside))

}  // namespace starpath
