// The learned detector, layer by layer over the whole image: a thread computes four outputs of four pixels.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/detector.hpp"
#include "codelets/kernels/gpu_memory.hpp"

namespace starpath::cuda {
namespace {

constexpr int kOutputs = kWeightsInWord, kPixels = 4;

/// Activations of an image, as words of four channels; those of a pixel are beside each other.
struct Maps {
  std::uint32_t* words;
  int width, height, in_pixel;

  STARPATH_HD std::uint32_t* pixel(int x, int y) const { return words + (std::ptrdiff_t{y} * width + x) * in_pixel; }
  STARPATH_HD bool contains(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
};

Maps take_maps(const KernelContext& context, int width, int height, int channels) {
  const int words = (channels + kWeightsInWord - 1) / kWeightsInWord;
  const auto size =
      static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(words);
  return {context.scratch.take<std::uint32_t>(size).data(), width, height, words};
}

STARPATH_HD std::uint32_t word_of(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a | b << 8 | c << 16 | d << 24;
}

/// Sums of kPixels pixels of a row, each for kOutputs outputs.
using Sums = std::array<std::array<std::int32_t, kOutputs>, kPixels>;

/// Adds the products of `count` words of each pixel with the weights of kOutputs outputs. from[p] points to the first
/// word of pixel p, and is nullptr outside of the image.
__device__ void add_products(const std::array<const std::uint32_t*, kPixels>& from, int count,
                             const std::int32_t* weights, int outputs, Sums& sums) {
  for (int word = 0; word < count; ++word, weights += outputs)
    for (std::size_t p = 0; p < kPixels; ++p) {
      if (from[p] == nullptr) continue;
      const auto activations = static_cast<std::int32_t>(from[p][word]);
      for (std::size_t o = 0; o < kOutputs; ++o) sums[p][o] = dot4(activations, weights[o], sums[p][o]);
    }
}

/// A 3x3 convolution. Where `below` has words, each of its pixels stands for 2x2, and they come before those of `from`.
void convolve(const KernelContext& context, const char* name, const std::int32_t* network, const DetectorLayer& layer,
              const Maps& below, const Maps& from, const Maps& to) {
  const int groups = layer.out / kOutputs, columns = static_cast<int>(parts_of(to.width, kPixels));
  for_items(context, name, std::int64_t{groups} * columns * to.height, [=] __device__(std::int64_t item) {
    const int out = static_cast<int>(item % groups) * kOutputs;
    const int x = static_cast<int>(item / groups % columns) * kPixels, y = static_cast<int>(item / groups / columns);
    Sums sums;
    for (auto& of_pixel : sums)
      for (int o = 0; o < kOutputs; ++o) of_pixel[static_cast<std::size_t>(o)] = network[layer.bias() + out + o];
    for (int place = 0; place < 9; ++place) {
      const int dx = place % 3 - 1, v = y + place / 3 - 1;
      const std::int32_t* const weights = network + layer.first + place * layer.in_words() * layer.out + out;
      std::array<const std::uint32_t*, kPixels> in_below{}, beside{};
      for (int p = 0; p < kPixels; ++p) {
        const int u = x + p + dx;
        if (!to.contains(u, v)) continue;
        beside[static_cast<std::size_t>(p)] = from.pixel(u, v);
        if (below.in_pixel != 0) in_below[static_cast<std::size_t>(p)] = below.pixel(u / 2, v / 2);
      }
      add_products(in_below, below.in_pixel, weights, layer.out, sums);
      add_products(beside, from.in_pixel, weights + below.in_pixel * layer.out, layer.out, sums);
    }
    const std::int32_t *const multiplier = network + layer.multiplier() + out, *const shift =
                                                                                   network + layer.shift() + out;
    for (int p = 0; p < kPixels && x + p < to.width; ++p) {
      const auto& sum = sums[static_cast<std::size_t>(p)];
      to.pixel(x + p, y)[out / kOutputs] =
          word_of(activation_of(sum[0], multiplier[0], shift[0]), activation_of(sum[1], multiplier[1], shift[1]),
                  activation_of(sum[2], multiplier[2], shift[2]), activation_of(sum[3], multiplier[3], shift[3]));
    }
  });
}

void read_pixels(const KernelContext& context, RgbView rgb, int left, int top, const Maps& to) {
  for_pixels(context, "network input", to.width, to.height, [=] __device__(int x, int y) {
    const Rgb p = rgb.contains(left + x, top + y) ? rgb.at(left + x, top + y) : Rgb{255, 255, 255};
    *to.pixel(x, y) = word_of(network_input(p.r), network_input(p.g), network_input(p.b), 0);
  });
}

__device__ std::uint32_t byte_of(std::uint32_t word, int byte) { return word >> 8 * byte & 0xff; }

/// The largest of each channel.
__device__ std::uint32_t maxima(std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  for (int byte = 0; byte < kWeightsInWord; ++byte) {
    const std::uint32_t one = byte_of(a, byte), other = byte_of(b, byte);
    result |= (one > other ? one : other) << 8 * byte;
  }
  return result;
}

void take_maxima(const KernelContext& context, const Maps& from, const Maps& to) {
  for_pixels(context, "maxima", to.width * to.in_pixel, to.height, [=] __device__(int i, int y) {
    const int x = i / to.in_pixel, word = i % to.in_pixel;
    to.pixel(x, y)[word] = maxima(maxima(from.pixel(2 * x, 2 * y)[word], from.pixel(2 * x + 1, 2 * y)[word]),
                                  maxima(from.pixel(2 * x, 2 * y + 1)[word], from.pixel(2 * x + 1, 2 * y + 1)[word]));
  });
}

void write_scores(const KernelContext& context, const std::int32_t* network, const DetectorLayer& head,
                  const Maps& features, int left, int top, View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  for_pixels(context, "scores", nucleus.width, nucleus.height, [=] __device__(int x, int y) {
    if (x < left || y < top) {
      nucleus.at(x, y) = core.at(x, y) = 0;
      return;
    }
    const std::uint32_t* const from = features.pixel(x - left, y - top);
    for (int out = 0; out < 2; ++out) {
      std::int32_t sum = network[head.bias() + out];
      for (int word = 0; word < features.in_pixel; ++word)
        sum = dot4(static_cast<std::int32_t>(from[word]), network[head.first + word * head.out + out], sum);
      (out == 0 ? nucleus : core).at(x, y) =
          score_of(sum, network[head.multiplier() + out], network[head.shift() + out]);
    }
  });
}

/// The features of level 0.
Maps features_of(const KernelContext& context, RgbView rgb, const std::int32_t* network,
                 const DetectorChannels& channels, int left, int top) {
  const DetectorLayers layers(channels);
  const int last = channels.levels() - 1;
  constexpr Maps none{nullptr, 0, 0, 0};
  std::array<Maps, DetectorChannels::kMostLevels> kept{}, other{};
  int width = detector_side(rgb.width - left, channels.step()),
      height = detector_side(rgb.height - top, channels.step());
  for (int level = 0; level <= last; ++level, width /= 2, height /= 2) {
    const auto at = static_cast<std::size_t>(level);
    const Maps input = take_maps(context, width, height, layers.encoder(level, 0).in);
    kept[at] = take_maps(context, width, height, channels.of[at]);
    other[at] = take_maps(context, width, height, channels.of[at]);
    level == 0 ? read_pixels(context, rgb, left, top, input) : take_maxima(context, kept[at - 1], input);
    convolve(context, "encoder a", network, layers.encoder(level, 0), none, input, other[at]);
    convolve(context, "encoder b", network, layers.encoder(level, 1), none, other[at], kept[at]);
  }
  // What was kept of a level is not read any more once decoder<i>a has run.
  for (int level = last - 1; level >= 0; --level) {
    const auto at = static_cast<std::size_t>(level);
    convolve(context, "decoder a", network, layers.decoder(level, 0), kept[at + 1], kept[at], other[at]);
    convolve(context, "decoder b", network, layers.decoder(level, 1), none, other[at], kept[at]);
  }
  return kept[0];
}

}  // namespace

void detect(const KernelContext& context, RgbView rgb, std::span<const std::int32_t> network, int origin_x,
            int origin_y, int channels_0, int channels_1, int channels_2, int channels_3, View<std::uint8_t> nucleus,
            View<std::uint8_t> core) {
  const Scratch::Mark mark(context.scratch);
  const DetectorChannels channels{{channels_0, channels_1, channels_2, channels_3}};
  const int left = detector_margin(origin_x, channels.step()), top = detector_margin(origin_y, channels.step());
  const bool any = left < rgb.width && top < rgb.height;
  const Maps features = any ? features_of(context, rgb, network.data(), channels, left, top) : Maps{};
  write_scores(context, network.data(), DetectorLayers(channels).head(), features, left, top, nucleus, core);
}

}  // namespace starpath::cuda
