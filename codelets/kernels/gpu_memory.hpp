// How much memory of a GPU the kernels need for an image.
#pragma once
#include <cstddef>
#include <cstdint>

namespace starpath {

/// Scratch memory that no CUDA kernel of an image of this many pixels exceeds; the watershed needs the most.
constexpr std::size_t gpu_scratch_bytes(std::int64_t pixels) {
  constexpr std::size_t per_pixel = 36, whatever_the_size = std::size_t{1} << 16;
  return per_pixel * static_cast<std::size_t>(pixels) + whatever_the_size;
}

/// The same for NBIA's classifier with so many samples.
constexpr std::size_t nbia_gpu_scratch_bytes(std::size_t samples) { return 64 + sizeof(std::int64_t) * samples; }

/// What the buffers of one task need besides, and of the next that is on its way.
constexpr std::int64_t gpu_image_bytes(std::int64_t pixels) { return 20 * pixels; }

}  // namespace starpath
