// Operation 11, first part: the images of stains that the features of nuclei are measured on.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The images lie below each other in one image of three times the height: haematoxylin, eosin, gray.
inline constexpr int kStainChannels = 3;

/// One of the images.
STARPATH_HD constexpr GrayView channel_of(GrayView channels, int channel) {
  const int height = channels.height / kStainChannels;
  return {channels.data + std::ptrdiff_t{height} * channel * channels.stride, channels.width, height, channels.stride};
}

STARPATH_DECLARE_KERNEL(
    /// channels(x, y + c * rgb.height) = channel c of stain_values(rgb(x, y), stains) for every pixel that the features
    /// of a wanted object see: along either axis it lies within kFeatureReach of the box of an object with
    /// wanted[object] != 0. What the other pixels of `channels` hold is unspecified. `channels` has rgb's width and
    /// three times its height.
    void colour_deconvolution(const KernelContext& context, RgbView rgb, std::span<const ObjectBox> boxes,
                              std::span<const std::uint8_t> wanted, const StainAmountTable& stains,
                              View<std::uint8_t> channels))

}  // namespace starpath
