// Tests of operations 0 and 1: the reference by hand, the CPU kernels against the reference.
#include "codelets/kernels/background.hpp"

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"
#include "support/implementations.hpp"

namespace starpath {
namespace {

using namespace support;
using Counts = Image<std::uint32_t>;

TEST(Background, GlassIsAboveTheLevelInEveryChannel) {
  const Image<Rgb> rgb{{{221, 221, 221}, {220, 255, 255}, {255, 220, 255}, {255, 255, 220}, {0, 0, 0}}};
  Image<std::uint8_t> mask(5, 1);
  reference::background(TestContext(), rgb.view(), kPaperPixels.background_level, mask.view());
  EXPECT_TRUE(same(mask_of({"#...."}), mask));
}

TEST(Background, CellsFollowTheSlideAndNotTheTile) {
  const auto mask = mask_of({"###", "#.#"});
  Counts counts(2, 2, 5, 9);
  reference::count_background(TestContext(), mask.view(), 2 * kTissueCell - 1, kTissueCell - 1, counts.view());
  Counts expected{{1, 2}, {1, 1}};
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x) EXPECT_EQ(expected.at(x, y), counts.at(x, y)) << x << "," << y;
}

void expect_masks_of_the_reference(const Image<Rgb>& rgb, int padding, int level) {
  Image<std::uint8_t> expected(rgb.width(), rgb.height(), padding, 7);
  reference::background(TestContext(), rgb.view(), level, expected.view());
  for_each_implementation<cpu::background, opencv::background>([&](auto* background) {
    Image<std::uint8_t> actual(rgb.width(), rgb.height(), padding, 7);
    background(TestContext(), rgb.view(), level, actual.view());
    EXPECT_TRUE(same(expected, actual)) << level;
  });
}

TEST(Background, CpuMasksAsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    auto rgb = rgb_noise(rng, width, height, padding);
    for (const int level : {0, 254, 255}) expect_masks_of_the_reference(rgb, padding, level);
    const int level = 1 + static_cast<int>(rng() % 253);
    std::uniform_int_distribution<int> near_level(level - 1, level + 2);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (rng() % 2 != 0)
          rgb.at(x, y) = {static_cast<std::uint8_t>(near_level(rng)), static_cast<std::uint8_t>(near_level(rng)),
                          static_cast<std::uint8_t>(near_level(rng))};
    expect_masks_of_the_reference(rgb, padding, level);
  });
}

TEST(Background, CpuCountsAsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    width += static_cast<int>(rng() % 900), height += static_cast<int>(rng() % 300);
    const auto mask = mask_noise(rng, width, height, padding, 0.5);
    const int x0 = static_cast<int>(rng() % 2000), y0 = static_cast<int>(rng() % 2000);
    const int columns = (x0 + width - 1) / kTissueCell - x0 / kTissueCell + 1;
    const int rows = (y0 + height - 1) / kTissueCell - y0 / kTissueCell + 1;
    Counts expected(columns, rows, padding, 5), actual(columns, rows, padding, 5);
    reference::count_background(TestContext(), mask.view(), x0, y0, expected.view());
    cpu::count_background(TestContext(), mask.view(), x0, y0, actual.view());
    EXPECT_TRUE(same(expected, actual));
  });
}

}  // namespace
}  // namespace starpath
