// How much memory of a GPU the kernels need for an image.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "codelets/kernels/detector.hpp"
#include "codelets/kernels/scratch.hpp"

namespace starpath {

/// Scratch memory that no CUDA kernel of an image of this many pixels exceeds; the watershed needs the most.
constexpr std::size_t gpu_scratch_bytes(std::int64_t pixels) {
  constexpr std::size_t per_pixel = 36, whatever_the_size = std::size_t{1} << 16;
  return per_pixel * static_cast<std::size_t>(pixels) + whatever_the_size;
}

/// The same for the learned detector, whose layers hold whole images; no side has more than kMostDetectorSide pixels.
inline constexpr std::int64_t kMostDetectorSide = 30000;
constexpr std::size_t detector_gpu_scratch_bytes(const DetectorChannels& channels, std::int64_t pixels) {
  const std::int64_t padded = pixels + 2 * kMostDetectorSide * (channels.step() - 1);
  std::int64_t of_last_level = kWeightsInWord;  // bytes a pixel: the network's input
  std::int64_t bytes = std::int64_t{1} << 16;
  for (int level = 0; level < channels.levels(); ++level) {
    const std::int64_t own = channels.of[static_cast<std::size_t>(level)];
    bytes += (of_last_level + 2 * own) * padded >> 2 * level;
    of_last_level = own;
  }
  return static_cast<std::size_t>(bytes);
}

/// The same for NBIA with a model of up to `samples` samples a level.
constexpr std::size_t nbia_gpu_scratch_bytes(std::size_t samples) { return 64 + sizeof(std::int64_t) * samples; }

/// The other buffers of one task, and those of the next task that is on its way.
constexpr std::int64_t gpu_image_bytes(std::int64_t pixels) { return 20 * pixels; }

/// Takes scratch memory for images of so many pixels. False when there is not enough, or when less than the images need
/// is left beside it: bytes_left() is asked afterwards, and a negative answer means that nobody knows.
template <class BytesLeft>
bool set_memory_aside(Scratch& scratch, std::size_t scratch_bytes, std::int64_t pixels, BytesLeft bytes_left) {
  try {
    scratch.reserve(scratch_bytes);
  } catch (const std::bad_alloc&) {
    return false;
  }
  const std::int64_t left = bytes_left();
  return left < 0 || left >= gpu_image_bytes(pixels);
}

}  // namespace starpath
