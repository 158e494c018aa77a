// Tests of operation 3: the reference by hand, the CPU kernel against the reference.
#include "codelets/kernels/morph_open.hpp"

#include "support/images.hpp"

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
  reference::morph_open(TestContext(), rgb.view(), inverted.view(), opened.view());
  EXPECT_TRUE(same(Image<std::uint8_t>{{255, 155}, {5, 225}}, inverted));
  EXPECT_TRUE(same(Image<std::uint8_t>{{5, 5}, {5, 5}}, opened));
}

TEST(MorphOpen, AnOctagonSurvivesAndOneWithoutItsTipDoesNot) {
  Image<std::uint8_t> red(25, 25, 0, 255);
  for (int y = 0; y < 25; ++y)
    for (int x = 0; x < 25; ++x) {
      const int dx = std::abs(x - 12), dy = std::abs(y - 12);
      if (dx <= kOctagonReach && dy <= kOctagonReach && dx + dy <= kOctagonCorner) red.at(x, y) = 155;
    }
  Image<std::uint8_t> inverted(25, 25), opened(25, 25);
  reference::morph_open(TestContext(), with_red(red, 0).view(), inverted.view(), opened.view());
  EXPECT_TRUE(same(inverted, opened));
  red.at(12 + kOctagonReach, 12 + kOctagonCorner - kOctagonReach) = 255;
  reference::morph_open(TestContext(), with_red(red, 0).view(), inverted.view(), opened.view());
  EXPECT_TRUE(same(Image<std::uint8_t>(25, 25), opened));
}

void expect_cpu_is_reference(const Image<std::uint8_t>& red, int padding) {
  const auto rgb = with_red(red, padding);
  const int width = red.width(), height = red.height();
  Image<std::uint8_t> inverted(width, height, padding, 7), opened(width, height, padding, 7);
  Image<std::uint8_t> cpu_inverted(width, height, padding, 7), cpu_opened(width, height, padding, 7);
  reference::morph_open(TestContext(), rgb.view(), inverted.view(), opened.view());
  cpu::morph_open(TestContext(), rgb.view(), cpu_inverted.view(), cpu_opened.view());
  EXPECT_TRUE(same(inverted, cpu_inverted));
  EXPECT_TRUE(same(opened, cpu_opened));
}

TEST(MorphOpen, CpuIsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    expect_cpu_is_reference(noise<std::uint8_t>(rng, width, height, padding, 255), padding);
    expect_cpu_is_reference(blobs(rng, width, height, padding, 5), padding);
    expect_cpu_is_reference(mask_noise(rng, width, height, padding, 0.01), padding);
    expect_cpu_is_reference(mask_noise(rng, width, height, padding, 0.995), padding);
  });
}

TEST(MorphOpen, CpuIsTheReferenceAcrossItsBlocks) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  expect_cpu_is_reference(blobs(rng, 1100, 30, 3, 9), 3);
  expect_cpu_is_reference(noise<std::uint8_t>(rng, 40, 300, 3, 255), 3);
  expect_cpu_is_reference(mask_noise(rng, 600, 150, 3, 0.002), 3);
}

}  // namespace
}  // namespace starpath
