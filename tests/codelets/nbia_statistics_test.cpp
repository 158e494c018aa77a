// NBIA's colour conversion, counts and features: the reference by hand and against published colours, the CPU kernel
// against the reference.
#include "codelets/kernels/nbia_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "codelets/kernels/nbia_features.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;

void expect_lab(Rgb colour, double l, double a, double b) {
  const Lab lab = lab_of(kLabTables, colour);
  EXPECT_NEAR(lab.l / 256.0, l, 0.06) << text_of(colour);
  EXPECT_NEAR(lab.a / 256.0, a, 0.12) << text_of(colour);
  EXPECT_NEAR(lab.b / 256.0, b, 0.12) << text_of(colour);
}

TEST(Lab, OfKnownColours) {
  expect_lab({255, 255, 255}, 100, 0, 0);
  expect_lab({0, 0, 0}, 0, 0, 0);
  expect_lab({255, 0, 0}, 53.24, 80.09, 67.20);
  expect_lab({0, 255, 0}, 87.73, -86.18, 83.18);
  expect_lab({0, 0, 255}, 32.30, 79.19, -107.86);
  expect_lab({119, 119, 119}, 50.03, 0, 0);
}

TEST(Lab, GraysHaveNoColour) {
  for (int v = 0; v < 256; ++v) {
    const auto c = static_cast<std::uint8_t>(v);
    const Lab lab = lab_of(kLabTables, {c, c, c});
    EXPECT_EQ(lab.a, 0) << v;
    EXPECT_EQ(lab.b, 0) << v;
  }
}

/// The formula in double precision with the library's functions.
Lab exact_lab(Rgb p, double& worst) {
  const auto linear = [](std::uint8_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  const double r = linear(p.r), g = linear(p.g), b = linear(p.b);
  const auto f = [&](const std::uint32_t(&row)[3]) {
    const double t = (row[0] * r + row[1] * g + row[2] * b) / 32768;
    return t > std::pow(6.0 / 29, 3) ? std::cbrt(t) : t * 841 / 108 + 4.0 / 29;
  };
  const double x = f(kLabTables.white[0]), y = f(kLabTables.white[1]), z = f(kLabTables.white[2]);
  const Lab lab = lab_of(kLabTables, p);
  worst = std::max({worst, std::abs(lab.l / 256.0 - (116 * y - 16)), std::abs(lab.a / 256.0 - 500 * (x - y)),
                    std::abs(lab.b / 256.0 - 200 * (y - z))});
  return lab;
}

TEST(Lab, StaysCloseToTheRealNumbers) {
  double worst = 0;
  for (int r = 0; r < 256; r += 3)
    for (int g = 0; g < 256; g += 3)
      for (int b = 0; b < 256; b += 3) {
        const Lab lab = exact_lab(
            {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b)}, worst);
        ASSERT_GE(lab.l, 0);
        ASSERT_LE(lab.l, 25600);
      }
  EXPECT_LT(worst, 0.05);
}

TEST(NbiaPixel, LevelsAndGlass) {
  EXPECT_EQ(nbia_pixel({0, 0, 0}).levels[0], 0);
  EXPECT_EQ(nbia_pixel({1599, 0, 0}).levels[0], 0);
  EXPECT_EQ(nbia_pixel({1600, 0, 0}).levels[0], 1);
  EXPECT_EQ(nbia_pixel({25600, 0, 0}).levels[0], 15);
  EXPECT_EQ(nbia_pixel({0, -64 * 256 - 1, 64 * 256}).levels[1], 0);
  EXPECT_EQ(nbia_pixel({0, -64 * 256 - 1, 64 * 256}).levels[2], 15);
  EXPECT_EQ(nbia_pixel({0, -1, 0}).levels[1], 7);
  EXPECT_EQ(nbia_pixel({0, -1, 0}).levels[2], 8);
  EXPECT_TRUE(nbia_pixel({85 * 256 + 1, 0, 8 * 256 - 1}).glass);
  EXPECT_FALSE(nbia_pixel({85 * 256, 0, 0}).glass);
  EXPECT_FALSE(nbia_pixel({100 * 256, 0, 8 * 256}).glass);
}

TEST(Lbp, BinsAreRotationInvariantAndUniform) {
  EXPECT_EQ(lbp_bin(0b00000000), 0);
  EXPECT_EQ(lbp_bin(0b11111111), 8);
  EXPECT_EQ(lbp_bin(0b00000101), 9);
  for (unsigned turn = 0; turn < 8; ++turn)
    for (unsigned run = 1; run < 8; ++run) {
      const unsigned code = (1U << run) - 1;
      EXPECT_EQ(lbp_bin(((code << turn) | (code >> (8 - turn))) & 255U), static_cast<int>(run));
    }
}

TEST(Lbp, SamplesOfASpotAndOfAnEdge) {
  const std::int32_t dark[] = {0, 0, 0}, spot[] = {0, 10, 0};
  EXPECT_EQ(lbp_samples(dark + 1, spot + 1, dark + 1), 0U);
  EXPECT_EQ(lbp_samples(dark + 1, dark + 1, dark + 1), 255U);
  // Light to the right: east and both diagonals beside it, and the equal ones above and below.
  const std::int32_t edge[] = {0, 5, 10};
  const unsigned samples = lbp_samples(edge + 1, edge + 1, edge + 1);
  EXPECT_EQ(samples, 0b11000111U);
  EXPECT_EQ(lbp_bin(samples), 5);
}

NbiaCounts counts_of(decltype(reference::nbia_statistics) kernel, const Image<Rgb>& rgb) {
  NbiaCounts counts;
  std::memset(&counts, 0x5a, sizeof counts);
  kernel(TestContext(), rgb.view(), &counts);
  return counts;
}

TEST(NbiaStatistics, CountsPairsInFourDirections) {
  const Rgb black{0, 0, 0}, white{255, 255, 255};
  const NbiaCounts counts = counts_of(reference::nbia_statistics, {{black, white}, {black, black}});
  EXPECT_EQ(counts.pixels, 4u);
  EXPECT_EQ(counts.glass, 1u);
  // Right: bw, bb; lower right: bb; below: bb, wb; lower left: wb.
  EXPECT_EQ(counts.pairs[0][0], 3u);
  EXPECT_EQ(counts.pairs[0][15], 1u);
  EXPECT_EQ(counts.pairs[0][15 * 16], 2u);
  EXPECT_EQ(counts.pairs[1][8 * 16 + 8], 6u);
  EXPECT_EQ(std::accumulate(counts.lbp, counts.lbp + kLbpBins, 0u), 0u);
}

TEST(NbiaFeatures, OfAHandMadeMatrix) {
  std::uint32_t pairs[256] = {};
  pairs[0] = 1;                 // 0 with 0: twice in the symmetric matrix
  pairs[1] = 1, pairs[16] = 1;  // 0 with 1 and 1 with 0: twice each
  pairs[17] = 1;                // 1 with 1
  const auto f = cooccurrence_features(pairs);
  EXPECT_DOUBLE_EQ(f[0], 0.5);
  EXPECT_DOUBLE_EQ(f[1], 0);
  EXPECT_DOUBLE_EQ(f[2], 0.25);
  EXPECT_DOUBLE_EQ(f[3], 0.5 + 0.25);
  EXPECT_DOUBLE_EQ(f[4], 2);
  std::uint32_t ends[256] = {};
  ends[0] = 3, ends[255] = 3;
  EXPECT_DOUBLE_EQ(cooccurrence_features(ends)[1], 1);
  std::uint32_t constant[256] = {};
  constant[17 * 5] = 9;
  EXPECT_EQ(cooccurrence_features(constant), (std::array<double, 5>{0, 0, 1, 1, 0}));
  EXPECT_EQ(cooccurrence_features({}), (std::array<double, 5>{}));
}

TEST(NbiaFeatures, PatternsAreShares) {
  NbiaCounts counts{};
  counts.lbp[3] = 3, counts.lbp[9] = 1;
  const NbiaFeatures features = nbia_features(counts);
  EXPECT_DOUBLE_EQ(features[18], 0.75);
  EXPECT_DOUBLE_EQ(features[24], 0.25);
}

TEST(NbiaFeatures, BackgroundIsNineTenthsOfGlass) {
  NbiaCounts counts{};
  counts.pixels = 1000, counts.glass = 899;
  EXPECT_FALSE(nbia_background(counts));
  counts.glass = 900;
  EXPECT_TRUE(nbia_background(counts));
}

void expect_same_counts(const Image<Rgb>& rgb) {
  const NbiaCounts expected = counts_of(reference::nbia_statistics, rgb);
  const NbiaCounts actual = counts_of(cpu::nbia_statistics, rgb);
  EXPECT_EQ(std::memcmp(&expected, &actual, sizeof expected), 0);
  const auto pairs = static_cast<std::uint64_t>(rgb.width() - 1) * static_cast<std::uint64_t>(rgb.height()) +
                     2 * static_cast<std::uint64_t>(rgb.width() - 1) * static_cast<std::uint64_t>(rgb.height() - 1) +
                     static_cast<std::uint64_t>(rgb.width()) * static_cast<std::uint64_t>(rgb.height() - 1);
  for (const auto& channel : expected.pairs)
    EXPECT_EQ(std::accumulate(channel, channel + 256, std::uint64_t{0}), pairs);
}

TEST(NbiaStatistics, CpuEqualsReferenceToTheLastBit) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    expect_same_counts(rgb_noise(rng, width, height, padding));
    // Little contrast: many equal neighbours.
    auto flat = Image<Rgb>(width, height, padding, Rgb{230, 228, 231});
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (rng() % 4 == 0) flat.at(x, y).g = static_cast<std::uint8_t>(200 + rng() % 56);
    expect_same_counts(flat);
    expect_same_counts(Image<Rgb>(width, height, padding, Rgb{0, 0, 0}));
    expect_same_counts(Image<Rgb>(width, height, padding, Rgb{255, 255, 255}));
  });
}

}  // namespace
}  // namespace starpath
