// Tests of operation 3: the reference by hand, the CPU kernels against the reference.
#include "codelets/kernels/morph_open.hpp"

#include <cmath>

#include "support/images.hpp"
#include "support/implementations.hpp"

namespace starpath {
namespace {

using namespace support;

Image<Rgb> with_red(const Image<std::uint8_t>& red, int padding) {
  Image<Rgb> rgb(red.width(), red.height(), padding);
  for (int y = 0; y < red.height(); ++y)
    for (int x = 0; x < red.width(); ++x) rgb.at(x, y) = {red.at(x, y), 1, 2};
  return rgb;
}

TEST(MorphOpen, SmallImageBecomesItsMinimum) {
  const Image<Rgb> rgb{{{0, 9, 9}, {100, 9, 9}}, {{250, 9, 9}, {30, 9, 9}}};
  Image<std::uint8_t> inverted(2, 2), opened(2, 2);
  reference::morph_open(TestContext(), rgb.view(), 9, inverted.view(), opened.view());
  EXPECT_TRUE(same(Image<std::uint8_t>{{255, 155}, {5, 225}}, inverted));
  EXPECT_TRUE(same(Image<std::uint8_t>{{5, 5}, {5, 5}}, opened));
}

TEST(MorphOpen, TheOctagonOfThePapersHasItsCornersAt14) {
  EXPECT_EQ(octagon_of(9).corner(), 14);
  for (int reach = 1; reach <= kMaxOpeningReach; ++reach) EXPECT_EQ(octagon_of(reach).reach(), reach);
}

TEST(MorphOpen, AnOctagonSurvivesAndOneWithoutItsTipDoesNot) {
  for (const int reach : {1, 2, 3, 9, 10, 23}) {
    SCOPED_TRACE(reach);
    const int corner = octagon_of(reach).corner(), middle = reach + 3, side = 2 * middle + 1;
    Image<std::uint8_t> red(side, side, 0, 255);
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const int dx = std::abs(x - middle), dy = std::abs(y - middle);
        if (dx <= reach && dy <= reach && dx + dy <= corner) red.at(x, y) = 155;
      }
    Image<std::uint8_t> inverted(side, side), opened(side, side);
    reference::morph_open(TestContext(), with_red(red, 0).view(), reach, inverted.view(), opened.view());
    EXPECT_TRUE(same(inverted, opened));
    red.at(middle + reach, middle + corner - reach) = 255;
    reference::morph_open(TestContext(), with_red(red, 0).view(), reach, inverted.view(), opened.view());
    EXPECT_TRUE(same(Image<std::uint8_t>(side, side), opened));
  }
}

void expect_cpu_is_reference(const Image<std::uint8_t>& red, int padding, int reach = 9) {
  SCOPED_TRACE("reach " + std::to_string(reach));
  const auto rgb = with_red(red, padding);
  const int width = red.width(), height = red.height();
  Image<std::uint8_t> inverted(width, height, padding, 7), opened(width, height, padding, 7);
  reference::morph_open(TestContext(), rgb.view(), reach, inverted.view(), opened.view());
  for_each_implementation<cpu::morph_open, opencv::morph_open>([&](auto* morph_open) {
    Image<std::uint8_t> cpu_inverted(width, height, padding, 7), cpu_opened(width, height, padding, 7);
    morph_open(TestContext(), rgb.view(), reach, cpu_inverted.view(), cpu_opened.view());
    EXPECT_TRUE(same(inverted, cpu_inverted));
    EXPECT_TRUE(same(opened, cpu_opened));
  });
}

TEST(MorphOpen, CpuIsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    expect_cpu_is_reference(noise<std::uint8_t>(rng, width, height, padding, 255), padding);
    expect_cpu_is_reference(blobs(rng, width, height, padding, 5), padding);
    expect_cpu_is_reference(blobs(rng, width, height, padding, 5), padding, 1 + static_cast<int>(rng() % 14));
    expect_cpu_is_reference(mask_noise(rng, width, height, padding, 0.01), padding);
    expect_cpu_is_reference(mask_noise(rng, width, height, padding, 0.995), padding);
  });
}

TEST(MorphOpen, CpuIsTheReferenceAtEveryReach) {
  Rng rng(1);
  for (int reach = 1; reach <= 20; ++reach) expect_cpu_is_reference(blobs(rng, 61, 47, 3, 9), 3, reach);
  for (const int reach : {27, 40, kMaxOpeningReach}) expect_cpu_is_reference(blobs(rng, 150, 90, 3, 9), 3, reach);
}

TEST(MorphOpen, CpuIsTheReferenceAcrossItsBlocks) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  expect_cpu_is_reference(blobs(rng, 700, 20, 3, 9), 3, 36);
  expect_cpu_is_reference(blobs(rng, 1100, 30, 3, 9), 3);
  expect_cpu_is_reference(noise<std::uint8_t>(rng, 40, 300, 3, 255), 3);
  expect_cpu_is_reference(mask_noise(rng, 600, 150, 3, 0.002), 3);
}

}  // namespace
}  // namespace starpath
