// Images of instance labels from files.
#pragma once
#include <cstdint>
#include <filesystem>

#include "support/images.hpp"

namespace starpath::quality {

/// 0 is background, the pixels of a positive label are one object.
using LabelImage = support::Image<std::int32_t>;

/// Reads a PNG with one channel of 8 or 16 bits (of a palette, the indices), or a TIFF or .npy file with one channel of
/// whole numbers. Throws Error{input} for anything else, for a mask of 0 and 255 alone, which tells no objects apart,
/// and for a label below 0 or above 2^31 - 1.
LabelImage read_label_image(const std::filesystem::path& file);

/// Reads a mask as the same kinds of files: 0 is outside, any other number inside. Throws Error{input}.
LabelImage read_mask(const std::filesystem::path& file);

/// The label under the centre of each pixel of a grid `scale` times coarser, of width x height pixels.
LabelImage on_grid(const LabelImage& labels, int width, int height, double scale);

}  // namespace starpath::quality
