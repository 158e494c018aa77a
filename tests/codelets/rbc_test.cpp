// Tests of operation 2: the reference by hand, the CPU kernel against the reference.
#include "codelets/kernels/rbc.hpp"

#include <utility>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;

constexpr Rgb kNone{100, 100, 0};
constexpr Rgb kLow{41, 10, 0};   // above 4, not above 5
constexpr Rgb kHigh{51, 10, 0};  // above 5
constexpr Rgb kBluish{51, 10, 51};

TEST(Rbc, KeepsWhatIsConnectedToAHighPixel) {
  const Image<Rgb> rgb{{kLow, kNone, kNone, kLow, kLow},
                       {kNone, kHigh, kNone, kNone, kNone},
                       {kNone, kNone, kLow, kNone, kLow},
                       {kNone, kNone, kNone, kNone, kNone},
                       {kHigh, kNone, kNone, kNone, kBluish}};
  Image<std::uint8_t> mask(5, 5);
  reference::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, mask.view());
  EXPECT_TRUE(same(mask_of({"#....", ".#...", "..#..", ".....", "#...."}), mask));
}

TEST(Rbc, BluishPixelsConnectButAreCleared) {
  const Image<Rgb> rgb{{kLow, kBluish, kLow}};
  Image<std::uint8_t> mask(3, 1);
  reference::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, mask.view());
  EXPECT_TRUE(same(mask_of({"#.#"}), mask));
}

TEST(Rbc, RatiosAreStrict) {
  const Image<Rgb> rgb{{{50, 10, 0}, kNone, {0, 0, 0}, kNone, {1, 0, 0}}};
  Image<std::uint8_t> mask(5, 1);
  reference::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, mask.view());
  EXPECT_TRUE(same(mask_of({"....#"}), mask));
}

TEST(Rbc, RatiosMayLieBetweenWholeOnes) {
  const Image<Rgb> rgb{{{25, 10, 0}, kNone, {26, 10, 0}}};
  Image<std::uint8_t> mask(3, 1);
  reference::rbc(TestContext(), rgb.view(), 5 * kRatioUnit / 2, 5 * kRatioUnit / 2, 0, mask.view());
  EXPECT_TRUE(same(mask_of({"..#"}), mask));
}

TEST(Rbc, WhatHoldsTooLittleHaematoxylinIsMarkedToo) {
  // Densities 1.8 of glass in each channel; 122 of the nucleus in red and 55 in blue; 30 and 46 of eosin.
  const Image<Rgb> rgb{{{245, 245, 245}, {90, 60, 140}, {225, 130, 185}, kHigh}};
  Image<std::uint8_t> mask(4, 1);
  const auto marked = [&](int haematoxylin) {
    reference::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, haematoxylin, mask.view());
    return mask;
  };
  EXPECT_TRUE(same(mask_of({"...#"}), marked(0)));
  EXPECT_TRUE(same(mask_of({"#.##"}), marked(20)));
  EXPECT_TRUE(same(mask_of({"####"}), marked(250)));
}

TEST(Rbc, CpuIsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    for_mask_kinds(rng, width, height, padding, [&](const Image<std::uint8_t>& objects) {
      for (const unsigned rarity : {1U, 3U, 200U}) {
        Image<Rgb> rgb(width, height, padding);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            const Rgb inside = rng() % rarity != 0 ? kLow : rng() % 4 != 0 ? kHigh : kBluish;
            rgb.at(x, y) = objects.at(x, y) != 0 ? inside : kNone;
          }
        Image<std::uint8_t> expected(width, height, padding, 7), actual(width, height, padding, 7);
        reference::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, expected.view());
        cpu::rbc(TestContext(), rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, actual.view());
        EXPECT_TRUE(same(expected, actual));
      }
    });
    const auto any = rgb_noise(rng, width, height, padding);
    for (const auto& [high, low] : {std::pair{kPaperPixels.red_high, kPaperPixels.red_low}, {25, 17}, {16, 16}}) {
      Image<std::uint8_t> expected(width, height, padding, 7), actual(width, height, padding, 7);
      const int haematoxylin = static_cast<int>(rng() % 200);
      reference::rbc(TestContext(), any.view(), high, low, haematoxylin, expected.view());
      cpu::rbc(TestContext(), any.view(), high, low, haematoxylin, actual.view());
      EXPECT_TRUE(same(expected, actual)) << high << " " << low;
    }
  });
}

}  // namespace
}  // namespace starpath
