// The learned detector as it is defined: layer by layer over whole images.
#include "codelets/kernels/detector.hpp"

#include <algorithm>
#include <vector>

namespace starpath::reference {
namespace {

/// Activations: the channels of a pixel beside each other.
struct Maps {
  int width, height, channels;
  std::vector<std::uint8_t> values;

  Maps(int w, int h, int c)
      : width(w), height(h), channels(c), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h * c)) {}
  std::uint8_t& at(int x, int y, int c) {
    return values[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                      static_cast<std::size_t>(channels) +
                  static_cast<std::size_t>(c)];
  }
  int padded(int x, int y, int c) { return x < 0 || x >= width || y < 0 || y >= height ? 0 : at(x, y, c); }
};

int weight(std::span<const std::int32_t> network, const DetectorLayer& layer, int ky, int kx, int in, int out) {
  const int word = ((ky * layer.kernel + kx) * layer.in_words() + in / kWeightsInWord) * layer.out + out;
  const auto bits = static_cast<std::uint32_t>(network[static_cast<std::size_t>(layer.first + word)]);
  return static_cast<std::int8_t>(bits >> 8 * (in % kWeightsInWord) & 0xff);
}

template <class Store>
void convolve(std::span<const std::int32_t> network, const DetectorLayer& layer, Maps& from, Store store) {
  const auto number = [&](int first, int out) { return network[static_cast<std::size_t>(first + out)]; };
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      for (int out = 0; out < layer.out; ++out) {
        std::int32_t sum = number(layer.bias(), out);
        for (int ky = 0; ky < layer.kernel; ++ky)
          for (int kx = 0; kx < layer.kernel; ++kx)
            for (int in = 0; in < layer.in; ++in)
              sum += weight(network, layer, ky, kx, in, out) *
                     from.padded(x + kx - layer.kernel / 2, y + ky - layer.kernel / 2, in);
        store(x, y, out, sum, number(layer.multiplier(), out), number(layer.shift(), out));
      }
}

Maps convolved(std::span<const std::int32_t> network, const DetectorLayer& layer, Maps from) {
  Maps to(from.width, from.height, layer.out);
  convolve(network, layer, from, [&](int x, int y, int out, std::int32_t sum, std::int32_t multiplier, int shift) {
    to.at(x, y, out) = activation_of(sum, multiplier, shift);
  });
  return to;
}

Maps pooled(Maps& from) {
  Maps to(from.width / 2, from.height / 2, from.channels);
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      for (int c = 0; c < to.channels; ++c)
        to.at(x, y, c) = std::max({from.at(2 * x, 2 * y, c), from.at(2 * x + 1, 2 * y, c), from.at(2 * x, 2 * y + 1, c),
                                   from.at(2 * x + 1, 2 * y + 1, c)});
  return to;
}

Maps joined(Maps& below, Maps& kept) {
  Maps to(kept.width, kept.height, below.channels + kept.channels);
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      for (int c = 0; c < to.channels; ++c)
        to.at(x, y, c) = c < below.channels ? below.at(x / 2, y / 2, c) : kept.at(x, y, c - below.channels);
  return to;
}

Maps input_of(RgbView rgb, int left, int top, int step) {
  Maps to(detector_side(rgb.width - left, step), detector_side(rgb.height - top, step), 3);
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const Rgb p = rgb.contains(left + x, top + y) ? rgb.at(left + x, top + y) : Rgb{255, 255, 255};
      to.at(x, y, 0) = network_input(p.r);
      to.at(x, y, 1) = network_input(p.g);
      to.at(x, y, 2) = network_input(p.b);
    }
  return to;
}

Maps features_of(std::span<const std::int32_t> network, const DetectorChannels& channels, Maps input) {
  const DetectorLayers layers(channels);
  std::vector<Maps> kept;
  Maps now = std::move(input);
  for (int level = 0; level < channels.levels(); ++level) {
    if (level > 0) now = pooled(now);
    now = convolved(network, layers.encoder(level, 0), std::move(now));
    now = convolved(network, layers.encoder(level, 1), std::move(now));
    kept.push_back(now);
  }
  for (int level = channels.levels() - 2; level >= 0; --level) {
    now = convolved(network, layers.decoder(level, 0), joined(now, kept[static_cast<std::size_t>(level)]));
    now = convolved(network, layers.decoder(level, 1), std::move(now));
  }
  return now;
}

}  // namespace

void detect(const KernelContext&, RgbView rgb, std::span<const std::int32_t> network, int origin_x, int origin_y,
            int channels_0, int channels_1, int channels_2, int channels_3, View<std::uint8_t> nucleus,
            View<std::uint8_t> core) {
  const DetectorChannels channels{{channels_0, channels_1, channels_2, channels_3}};
  for (const View<std::uint8_t>& scores : {nucleus, core})
    for (int y = 0; y < scores.height; ++y) std::fill_n(scores.row(y), scores.width, std::uint8_t{0});
  const int left = detector_margin(origin_x, channels.step()), top = detector_margin(origin_y, channels.step());
  if (left >= rgb.width || top >= rgb.height) return;
  Maps features = features_of(network, channels, input_of(rgb, left, top, channels.step()));
  convolve(network, DetectorLayers(channels).head(), features,
           [&](int x, int y, int out, std::int32_t sum, std::int32_t multiplier, int shift) {
             if (rgb.contains(left + x, top + y))
               (out == 0 ? nucleus : core).at(left + x, top + y) = score_of(sum, multiplier, shift);
           });
}

}  // namespace starpath::reference
