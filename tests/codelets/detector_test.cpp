// The learned detector: networks by hand, every CPU kernel against the reference, and tiles against a whole image.
#include "codelets/kernels/detector.hpp"

#include "codelets/cpu/detector_rows.hpp"
#include "support/detector_network.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;

constexpr DetectorChannels kThree{{8, 8, 8, 0}}, kFour{{16, 24, 48, 64}};

struct Scores {
  Gray nucleus, core;
  Scores(int width, int height, int padding) : nucleus(width, height, padding, 7), core(width, height, padding, 7) {}
};

template <class Detect>
Scores scores_by(Detect detect, const Image<Rgb>& rgb, const TestNetwork& network, int x = 0, int y = 0,
                 int padding = 5) {
  Scores scores(rgb.width(), rgb.height(), padding);
  const auto& of = network.channels.of;
  detect(TestContext(), rgb.view(), network.words(), x, y, of[0], of[1], of[2], of[3], scores.nucleus.view(),
         scores.core.view());
  return scores;
}
Scores reference_scores(const Image<Rgb>& rgb, const TestNetwork& network, int x = 0, int y = 0) {
  return scores_by(reference::detect, rgb, network, x, y);
}

/// Numbers of the layers of three levels.
enum Layer : int { encoder0a, encoder0b, encoder1a, encoder1b, decoder1a = 6, decoder0a = 8, decoder0b, head };

TEST(Detector, LayersFollowEachOther) {
  const DetectorLayers layers(kFour);
  ASSERT_EQ(layers.count, 15);
  EXPECT_EQ(layers.encoder(0, 0).in, 3);
  EXPECT_EQ(layers.encoder(3, 1).out, 64);
  EXPECT_EQ(layers.decoder(2, 0).in, 64 + 48);
  EXPECT_EQ(layers.decoder(0, 0).in, 24 + 16);
  EXPECT_EQ(layers.head().in, 16);
  int first = 0;
  for (int i = 0; i < layers.count; ++i) {
    EXPECT_EQ(layers.all[static_cast<std::size_t>(i)].first, first);
    first = layers.all[static_cast<std::size_t>(i)].end();
  }
  EXPECT_EQ(layers.words(), first);
  EXPECT_EQ(layers.encoder(0, 0).bias(), 9 * 16);  // three channels fill one word
  EXPECT_EQ(DetectorLayers(kThree).count, 11);
}

TEST(Detector, RoundsHalvesUp) {
  EXPECT_EQ(rescaled(8, 1, 4), 1);
  EXPECT_EQ(rescaled(7, 1, 4), 0);
  EXPECT_EQ(rescaled(-8, 1, 4), 0);
  EXPECT_EQ(rescaled(-9, 1, 4), -1);
  EXPECT_EQ(rescaled(2147483647, 2147483647, 62), 1);
  EXPECT_EQ(activation_of(-5, 3, 1), 0);
  EXPECT_EQ(activation_of(127, 2, 1), 127);
  EXPECT_EQ(activation_of(2147483647, 2147483647, 1), 127);
  EXPECT_EQ(score_of(-2147483647, 2147483647, 1), 0);
  EXPECT_EQ(score_of(-1, 2, 1), 127);
  EXPECT_EQ(score_of(300, 2, 1), 255);
  EXPECT_EQ(network_input(0), 0);
  EXPECT_EQ(network_input(1), 1);
  EXPECT_EQ(network_input(2), 1);
  EXPECT_EQ(network_input(254), 127);
  EXPECT_EQ(network_input(255), 127);
}

/// The red of a pixel, through level 0 alone, is the score `nucleus`, and a constant the other.
TestNetwork red_network() {
  TestNetwork network(kThree);
  network.set_weight(encoder0a, 5, 0, 1);
  network.set_weight(encoder0b, 2, 5, 1);
  network.set_weight(decoder0a, 7, 8 + 2, 1);  // behind the 8 channels of the level below
  network.set_weight(decoder0b, 1, 7, 1);
  network.set_weight(head, 0, 1, 1);
  network.set_bias(head, 1, -28);
  return network;
}

TEST(Detector, HandsOnWhatLevel0Sees) {
  const Image<Rgb> rgb{{{0, 9, 9}, {1, 9, 9}, {3, 9, 9}}, {{255, 9, 9}, {100, 9, 9}, {99, 9, 9}}};
  const Scores scores = reference_scores(rgb, red_network());
  EXPECT_TRUE(same(Gray{{128, 129, 130}, {255, 178, 178}}, scores.nucleus));
  EXPECT_TRUE(same(Gray{{100, 100, 100}, {100, 100, 100}}, scores.core));
}

TEST(Detector, SumsAreOfNeighboursInTheImageAndWhiteBehindIt) {
  TestNetwork network = red_network();
  for (int i = 0; i < 9; ++i) network.set_weight(encoder0a, 5, i / 3, i % 3, 0, 1);
  for (int out = 0; out < 8; ++out) network.set_scale(encoder0a, out, 2, 4);  // an eighth
  // Columns 3 and rows 3 are behind the image: 127. Outside of 4x4 pixels is 0. Red 15 is the activation 8.
  const Image<Rgb> rgb(3, 3, 2, Rgb{15, 0, 0});
  const Scores scores = reference_scores(rgb, network);
  // Corner: 4 * 8 / 8; edge: 6 * 8 / 8; middle: 9; right edge: (4 * 8 + 2 * 127) / 8 = 35.75; beside it (6 * 8 + 381) /
  // 8 = 53.6; last corner: (4 * 8 + 5 * 127) / 8 = 83.4.
  EXPECT_TRUE(same(Gray{{132, 134, 164}, {134, 137, 182}, {164, 182, 211}}, scores.nucleus));
}

TEST(Detector, LevelsBelowSeeTheMaximaOfFourPixels) {
  TestNetwork network(kThree);
  network.set_weight(encoder0a, 0, 1, 1);  // green
  network.set_weight(encoder0b, 0, 0, 1);
  network.set_weight(encoder1a, 0, 0, 1);
  network.set_weight(encoder1b, 0, 0, 1);
  network.set_weight(decoder1a, 3, 8, 1);
  network.set_weight(decoder1a + 1, 4, 3, 1);
  network.set_weight(decoder0a, 0, 4, 1);  // of the level below
  network.set_weight(decoder0b, 0, 0, 1);
  network.set_weight(head, 1, 0, 1);
  Image<Rgb> rgb(4, 4, 5, Rgb{255, 1, 255});
  rgb.at(1, 0).g = 19;
  rgb.at(2, 3).g = 39;
  const Scores scores = reference_scores(rgb, network);
  EXPECT_TRUE(
      same(Gray{{138, 138, 129, 129}, {138, 138, 129, 129}, {129, 129, 148, 148}, {129, 129, 148, 148}}, scores.core));
}

TEST(Detector, BeginsAtMultiplesOfItsStep) {
  const TestNetwork network = red_network();
  const Image<Rgb> rgb(3, 4, 5, Rgb{255, 0, 0});
  EXPECT_TRUE(same(Gray{{0, 0, 0}, {0, 0, 0}, {0, 0, 255}, {0, 0, 255}}, reference_scores(rgb, network, 2, 6).nucleus));
  EXPECT_TRUE(same(Gray(3, 4, 5, 0), reference_scores(rgb, network, 1, 4).core));
  EXPECT_TRUE(same(Gray(3, 4, 5, 0), scores_by(cpu::detect, rgb, network, 1, 4).core));
}

TEST(Detector, EveryCpuKernelEqualsReference) {
  constexpr DetectorChannels kinds[] = {kThree, kFour, {{24, 8, 16, 0}}, {{8, 24, 40, 72}}, {{32, 64, 112, 0}}};
  std::size_t kind = 0;
  for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    if (width * height > (padding == 1 ? 4200 : 1300)) return;  // the reference takes its time
    const TestNetwork network = random_network(rng, kinds[kind++ % std::size(kinds)]);
    const Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    const int x = static_cast<int>(rng() % 40), y = static_cast<int>(rng() % 40);
    const Scores expected = scores_by(reference::detect, rgb, network, x, y, padding + 1);
    for (const cpu::RowKernel& kernel : cpu::row_kernels()) {
      if (!kernel.runs_here()) continue;
      SCOPED_TRACE(kernel.name);
      Scores actual(width, height, padding + 1);
      cpu::detect_by(kernel, TestContext(), rgb.view(), network.words(), x, y, network.channels, actual.nucleus.view(),
                     actual.core.view());
      EXPECT_TRUE(same(expected.nucleus, actual.nucleus));
      EXPECT_TRUE(same(expected.core, actual.core));
    }
  });
}

TEST(Detector, RandomNetworksUseTheWholeRange) {
  Rng rng(test_seed());
  const Scores scores = scores_by(cpu::detect, rgb_noise(rng, 200, 200, 0), random_network(rng, kFour), 0, 0, 0);
  const auto [least, most] = std::ranges::minmax(scores.nucleus.elements());
  EXPECT_LT(least, most);
}

TEST(Detector, TilesGiveTheScoresOfTheWholeImage) {
  for (const DetectorChannels& channels : {kThree, kFour}) {
    Rng rng(test_seed());
    const TestNetwork network = random_network(rng, channels);
    const int width = 301, height = 277, reach = detector_reach(channels) + channels.step();
    const Image<Rgb> rgb = rgb_noise(rng, width, height, 0);
    const Scores whole = scores_by(cpu::detect, rgb, network);
    for (const auto& [x0, y0, x1, y1] : {std::array{37, 22, 301, 277}, {0, 0, 250, 277}, {101, 64, 283, 269}}) {
      Image<Rgb> tile(x1 - x0, y1 - y0);
      for (int y = y0; y < y1; ++y) std::copy_n(rgb.view().row(y) + x0, x1 - x0, tile.view().row(y - y0));
      const Scores scores = scores_by(cpu::detect, tile, network, x0, y0);
      const int left = x0 == 0 ? 0 : x0 + reach, top = y0 == 0 ? 0 : y0 + reach;
      const int right = x1 == width ? width : x1 - reach, bottom = y1 == height ? height : y1 - reach;
      ASSERT_LT(left, right);
      int differing = 0;
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
          differing += whole.nucleus.at(x, y) != scores.nucleus.at(x - x0, y - y0) ||
                       whole.core.at(x, y) != scores.core.at(x - x0, y - y0);
      EXPECT_EQ(differing, 0) << x0 << "," << y0;
    }
  }
}

}  // namespace
}  // namespace starpath
