// The learned detector: a small network over the colours of a tile, in integers, so that every device gives its bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

// The network is a U-Net (Ronneberger et al., "U-Net: convolutional networks for biomedical image segmentation",
// 2015). Level i has a pixel for 2^i x 2^i pixels of the tile.
// - encoder<i>a, encoder<i>b: 3x3 convolutions to the level's channels; the second is kept. The maximum of its 2x2
//   pixels is the input of level i + 1.
// - decoder<i>a, decoder<i>b, from the last level but one up to 0: each pixel of the level below repeated 2x2, its
//   channels followed by those that encoder<i>b kept, through two more 3x3 convolutions.
// - head: a 1x1 convolution to two scores of each pixel.
// Its input are the three channels as network_input(). Outside of the image, activations are 0.

/// Channels of each level, multiples of 8. The last is 0 where there are three levels.
struct DetectorChannels {
  static constexpr int kMostLevels = 4, kMostChannels = 256;
  std::array<int, kMostLevels> of;

  STARPATH_HD constexpr int levels() const { return of[3] == 0 ? 3 : 4; }
  /// Pixels that a pixel of the last level stands for, along a side.
  STARPATH_HD constexpr int step() const { return 1 << (levels() - 1); }

  friend bool operator==(const DetectorChannels&, const DetectorChannels&) = default;
};

/// Activations are 0..127: two products with weights of -127..127 fit into 16 bits.
inline constexpr int kMostActivation = 127;
/// Weights that share a word. The input of a layer has as many channels as fill words; those that it lacks are 0.
inline constexpr int kWeightsInWord = 4;

/// One convolution, and where its numbers are among the words of a network:
/// - weights as words of four: word ((ky * kernel + kx) * in_words() + i) * out + o holds the weights of output o for
///   the inputs 4 i .. 4 i + 3, the first in the lowest byte, as signed bytes;
/// - a bias, a multiplier (1 .. 2^31 - 1) and a shift (1 .. 62) for each output.
struct DetectorLayer {
  int level;
  int in, out;
  int kernel;     // 3 or 1: its side
  int first = 0;  // word

  STARPATH_HD constexpr int in_words() const { return (in + kWeightsInWord - 1) / kWeightsInWord; }
  STARPATH_HD constexpr int bias() const { return first + kernel * kernel * in_words() * out; }
  STARPATH_HD constexpr int multiplier() const { return bias() + out; }
  STARPATH_HD constexpr int shift() const { return multiplier() + out; }
  STARPATH_HD constexpr int end() const { return shift() + out; }
};

/// All convolutions in the order in which they are computed: the encoder, the decoder from the last level but one on,
/// and the head.
struct DetectorLayers {
  static constexpr int kMost = 4 * DetectorChannels::kMostLevels - 1;
  std::array<DetectorLayer, kMost> all{};
  int count = 0;

  constexpr explicit DetectorLayers(const DetectorChannels& channels) {
    const int levels = channels.levels();
    for (int level = 0; level < levels; ++level) {
      const int to = channels.of[static_cast<std::size_t>(level)];
      add({level, level == 0 ? 3 : channels.of[static_cast<std::size_t>(level - 1)], to, 3});
      add({level, to, to, 3});
    }
    for (int level = levels - 2; level >= 0; --level) {
      const int to = channels.of[static_cast<std::size_t>(level)];
      add({level, channels.of[static_cast<std::size_t>(level + 1)] + to, to, 3});
      add({level, to, to, 3});
    }
    add({0, channels.of[0], 2, 1});
  }

  constexpr const DetectorLayer& encoder(int level, int which) const {
    return all[static_cast<std::size_t>(2 * level + which)];
  }
  constexpr const DetectorLayer& decoder(int level, int which) const {
    const int levels = (count + 1) / 4;
    return all[static_cast<std::size_t>(2 * levels + 2 * (levels - 2 - level) + which)];
  }
  constexpr const DetectorLayer& head() const { return all[static_cast<std::size_t>(count - 1)]; }
  /// Of the network.
  constexpr int words() const { return head().end(); }

 private:
  constexpr void add(DetectorLayer layer) {
    if (count > 0) layer.first = all[static_cast<std::size_t>(count - 1)].end();
    all[static_cast<std::size_t>(count++)] = layer;
  }
};

/// How far from a pixel the network looks, in pixels, where images begin at multiples of the step.
constexpr int detector_reach(const DetectorChannels& channels) {
  int reach = channels.step() - 1;  // where in its pixel of the last level a pixel is
  for (int level = channels.levels() - 1; level >= 0; --level) {
    const int convolutions = level == channels.levels() - 1 ? 2 : 4;
    reach += convolutions << level;
  }
  return reach;
}

/// The activation of a channel's value.
STARPATH_HD constexpr std::uint8_t network_input(std::uint8_t value) {
  return static_cast<std::uint8_t>(value == 255 ? kMostActivation : (value + 1) / 2);
}

/// sum * multiplier / 2^shift, rounded to the nearest number, halves up. The sums of a network fit into 32 bits.
STARPATH_HD constexpr std::int64_t rescaled(std::int32_t sum, std::int32_t multiplier, std::int32_t shift) {
  return (std::int64_t{sum} * multiplier + (std::int64_t{1} << (shift - 1))) >> shift;
}
STARPATH_HD constexpr std::uint8_t activation_of(std::int32_t sum, std::int32_t multiplier, std::int32_t shift) {
  const std::int64_t value = rescaled(sum, multiplier, shift);
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > kMostActivation ? kMostActivation : value);
}
/// A score: 128 is the logit 0, and 16 are one unit of it.
STARPATH_HD constexpr std::uint8_t score_of(std::int32_t sum, std::int32_t multiplier, std::int32_t shift) {
  const std::int64_t value = rescaled(sum, multiplier, shift) + 128;
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// How many of the first rows or columns of an image are no part of the network's, so that this begins at a multiple of
/// the step. `origin`: where the slide has the image's first one.
STARPATH_HD constexpr int detector_margin(int origin, int step) { return (step - origin % step) % step; }
/// A side of the network's image: pixels behind the end of the image are white.
STARPATH_HD constexpr int detector_side(int pixels, int step) { return (pixels + step - 1) / step * step; }

STARPATH_DECLARE_KERNEL(
    /// Overwrites `nucleus` and `core` with the network's scores that a pixel belongs to a nucleus, and that it lies
    /// inside one and not on its rim. `network`: the words of DetectorLayers for the channels channels_0 .. 3. The
    /// image's pixel (0, 0) is pixel (origin_x, origin_y) >= 0 of the slide. The network sees the image from the first
    /// multiples of its step on; before these, both scores are 0. A pixel that is detector_reach() and a step or more
    /// from a cut has the score that it has in the whole slide.
    void detect(const KernelContext& context, RgbView rgb, std::span<const std::int32_t> network, int origin_x,
                int origin_y, int channels_0, int channels_1, int channels_2, int channels_3,
                View<std::uint8_t> nucleus, View<std::uint8_t> core))

}  // namespace starpath
