// Gradient, Canny's edge test and Sobel over a whole patch.
#pragma once
#include <cstddef>
#include <cstdint>

#include "codelets/cpu/feature_patch.hpp"

namespace starpath::cpu {

/// Results and intermediate planes, for one channel at a time.
struct FilterPlanes {
  std::uint8_t* gradient;
  std::uint8_t* canny;  // CannyClass
  std::uint8_t* sobel;  // 1 where the response is positive
  std::int16_t *smooth, *slope, *dx, *dy, *strength;

  FilterPlanes(Scratch& scratch, std::size_t largest);
};

/// Fills gradient, canny and sobel inside the frame from `channel`, a plane of it.
void filter_channel(const PatchFrame& frame, const std::uint8_t* channel, FilterPlanes& planes);

}  // namespace starpath::cpu
