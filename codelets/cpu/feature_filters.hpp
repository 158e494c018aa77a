// Gradient, Canny's edge test and Sobel over a whole patch, each channel by itself.
#pragma once
#include <cstddef>
#include <cstdint>

#include "codelets/cpu/feature_patch.hpp"

namespace starpath::cpu {

/// Fills `out` inside the frame with the magnitudes of the gradient of `channel`, a plane of it.
void gradient_magnitudes(const PatchFrame& frame, const std::uint8_t* channel, std::uint8_t* out);

/// Results and intermediate planes, for one channel at a time.
struct EdgePlanes {
  std::uint8_t* canny;  // CannyClass
  std::uint8_t* sobel;  // 1 where the response is positive
  std::int16_t *smooth, *slope, *dx, *dy, *strength;

  EdgePlanes(Scratch& scratch, std::size_t largest);
};

/// Fills canny and sobel inside the frame from `channel`, a plane of it.
void find_edges(const PatchFrame& frame, const std::uint8_t* channel, EdgePlanes& planes);

}  // namespace starpath::cpu
