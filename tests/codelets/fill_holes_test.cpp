// Tests of operation 5: the reference by hand, the CPU kernels against the reference.
#include "codelets/kernels/fill_holes.hpp"

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;

TEST(FillHoles, FillsWhatDoesNotReachTheBorderThroughSides) {
  const auto mask = mask_of({".###.", "#...#", "#.#.#", "#...#", ".###."});
  Gray filled(5, 5);
  reference::fill_holes4(TestContext(), mask.view(), filled.view());
  EXPECT_TRUE(same(mask_of({".###.", "#####", "#####", "#####", ".###."}), filled));
}

TEST(FillHoles, AnOpenRingIsNotFilled) {
  const auto mask = mask_of({".....", ".###.", ".#.#.", ".#.#.", "....."});
  Gray filled(5, 5);
  reference::fill_holes4(TestContext(), mask.view(), filled.view());
  EXPECT_TRUE(same(mask, filled));
}

TEST(FillHoles, FillsHolesUnderAnAreaOnly) {
  const auto mask = mask_of({"######", "#.#..#", "######", "#.####"});
  Gray filled(6, 4);
  reference::fill_small_holes4(TestContext(), mask.view(), 2, filled.view());
  EXPECT_TRUE(same(mask_of({"######", "###..#", "######", "#.####"}), filled));
}

TEST(FillHoles, SeedsAreAboveTheLevel) {
  const Gray difference{{81, 255, 81}, {200, 80, 200}, {81, 81, 81}, {80, 0, 80}};
  Gray filled(3, 4);
  reference::fill_holes(TestContext(), difference.view(), kPaperPixels.seed_level, filled.view());
  EXPECT_TRUE(same(mask_of({"###", "###", "###", "..."}), filled));
}

TEST(FillHoles, CpuIsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    for_mask_kinds(rng, width, height, padding, [&](const Gray& mask) {
      Gray expected(width, height, padding, 7), actual(width, height, padding, 7), in_place = mask;
      reference::fill_holes4(TestContext(), mask.view(), expected.view());
      cpu::fill_holes4(TestContext(), mask.view(), actual.view());
      EXPECT_TRUE(same(expected, actual));
      cpu::fill_holes4(TestContext(), in_place.view(), in_place.view());
      EXPECT_TRUE(same(expected, in_place));
      const int most = static_cast<int>(rng() % 40);
      reference::fill_small_holes4(TestContext(), mask.view(), most, expected.view());
      cpu::fill_small_holes4(TestContext(), mask.view(), most, actual.view());
      EXPECT_TRUE(same(expected, actual)) << most;
    });
    for (const Gray& difference : {noise<std::uint8_t>(rng, width, height, padding, 255),
                                   noise<std::uint8_t>(rng, width, height, padding, 2 * kPaperPixels.seed_level + 1),
                                   blobs(rng, width, height, padding, 4)}) {
      for (const int level : {0, 44, kPaperPixels.seed_level, 254}) {
        Gray expected(width, height, padding, 7), actual(width, height, padding, 7);
        reference::fill_holes(TestContext(), difference.view(), level, expected.view());
        cpu::fill_holes(TestContext(), difference.view(), level, actual.view());
        EXPECT_TRUE(same(expected, actual)) << level;
      }
    }
  });
}

}  // namespace
}  // namespace starpath
