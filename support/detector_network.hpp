// Networks of the learned detector for tests and benchmarks: written by hand, or at random.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "codelets/kernels/detector.hpp"

namespace starpath::support {

/// The words of a network. All weights and biases begin as 0, and every layer as one that changes no sum.
class TestNetwork {
 public:
  explicit TestNetwork(const DetectorChannels& of_levels)
      : channels(of_levels), layers(of_levels), words_(static_cast<std::size_t>(layers.words())) {
    for (int i = 0; i < layers.count; ++i)
      for (int out = 0; out < layer(i).out; ++out) set_scale(i, out, 2, 1);
  }

  const DetectorLayer& layer(int number) const { return layers.all[static_cast<std::size_t>(number)]; }
  std::span<const std::int32_t> words() const { return words_; }
  const std::vector<std::int32_t>& numbers() const { return words_; }

  void set_weight(int number, int out, int ky, int kx, int in, int weight) {
    const DetectorLayer& of = layer(number);
    const int place = ((ky * of.kernel + kx) * of.in_words() + in / kWeightsInWord) * of.out + out;
    auto& word = words_[static_cast<std::size_t>(of.first + place)];
    const int bits = 8 * (in % kWeightsInWord);
    const auto others = static_cast<std::uint32_t>(word) & ~(0xffU << bits);
    word = static_cast<std::int32_t>(others | (static_cast<std::uint32_t>(weight) & 0xffU) << bits);
  }
  int weight(int number, int out, int ky, int kx, int in) const {
    const DetectorLayer& of = layer(number);
    const int place = ((ky * of.kernel + kx) * of.in_words() + in / kWeightsInWord) * of.out + out;
    const auto word = static_cast<std::uint32_t>(words_[static_cast<std::size_t>(of.first + place)]);
    return static_cast<std::int8_t>(word >> 8 * (in % kWeightsInWord) & 0xff);
  }
  /// Of the middle of the kernel.
  void set_weight(int number, int out, int in, int weight) {
    const int middle = layer(number).kernel / 2;
    set_weight(number, out, middle, middle, in, weight);
  }
  void set_bias(int number, int out, int bias) { words_[static_cast<std::size_t>(layer(number).bias() + out)] = bias; }
  void set_scale(int number, int out, std::int32_t multiplier, int shift) {
    words_[static_cast<std::size_t>(layer(number).multiplier() + out)] = multiplier;
    words_[static_cast<std::size_t>(layer(number).shift() + out)] = shift;
  }

  const DetectorChannels channels;
  const DetectorLayers layers;

 private:
  std::vector<std::int32_t> words_;
};

/// What is dark in red, without training: the score of nuclei is 128 + 64 - half the red, and that of cores the same of
/// the reddest of the 2x2 pixels around, 40 less.
inline TestNetwork darkness_network() {
  enum : int { encoder0a, encoder0b, encoder1a, encoder1b, decoder1a = 6, decoder1b, decoder0a, decoder0b, head };
  TestNetwork network(DetectorChannels{{8, 8, 8, 0}});
  network.set_weight(encoder0a, 0, 0, 1);
  network.set_weight(encoder0b, 0, 0, 1);
  network.set_weight(encoder1a, 0, 0, 1);
  network.set_weight(encoder1b, 0, 0, 1);
  network.set_weight(decoder1a, 0, 8, 1);  // behind the channels of the level below
  network.set_weight(decoder1b, 0, 0, 1);
  network.set_weight(decoder0a, 0, 0, 1);
  network.set_weight(decoder0a, 1, 8, 1);
  for (const int channel : {0, 1}) network.set_weight(decoder0b, channel, channel, 1);
  network.set_weight(head, 0, 1, -1);
  network.set_bias(head, 0, 64);
  network.set_weight(head, 1, 0, -1);
  network.set_bias(head, 1, 24);
  return network;
}

/// Weights of the whole range. The scales let most activations lie between the limits; a few have the largest or
/// smallest scale that there is.
template <class Rng>
TestNetwork random_network(Rng& rng, const DetectorChannels& channels) {
  TestNetwork network(channels);
  std::uniform_int_distribution<int> weight(-127, 127), percent(0, 99);
  std::uniform_int_distribution<std::int32_t> multiplier(1, 2147483647);
  std::uniform_real_distribution<double> factor(0.5, 8);
  for (int number = 0; number < network.layers.count; ++number) {
    const DetectorLayer& layer = network.layer(number);
    const int taps = layer.kernel * layer.kernel * layer.in;
    for (int out = 0; out < layer.out; ++out) {
      for (int tap = 0; tap < taps; ++tap)
        network.set_weight(number, out, tap / layer.in / layer.kernel, tap / layer.in % layer.kernel, tap % layer.in,
                           weight(rng));
      network.set_bias(number, out, std::uniform_int_distribution<int>(-90 * taps, 90 * taps)(rng));
      const std::int32_t m = multiplier(rng);
      const double spread = 73.0 * 60 * std::sqrt(taps) / factor(rng);
      const int shift = std::clamp(static_cast<int>(std::log2(m * spread / 127)), 1, 62);
      switch (percent(rng)) {
        case 0:
          network.set_scale(number, out, 2147483647, 1);
          break;
        case 1:
          network.set_scale(number, out, 2147483647, 62);
          break;
        case 2:
          network.set_scale(number, out, 1, 1);
          break;
        default:
          network.set_scale(number, out, m, shift);
      }
    }
  }
  return network;
}

}  // namespace starpath::support
