// Operation 7: which objects are selected, and how they are smoothed.
#include "codelets/kernels/select.hpp"

#include <gtest/gtest.h>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using support::Image;
using support::mask_of;
using support::Rng;
using support::same;

TEST(SelectReference, KeepsSeededObjectsWithoutRedCellsAndOpensThem) {
  support::TestContext context;
  const Image<std::uint8_t> difference(
      {{45, 46, 0, 0, 0}, {46, 255, 46, 0, 90}, {45, 46, 45, 0, 90}, {0, 0, 0, 0, 90}, {99, 0, 0, 0, 0}});
  const auto seeds = mask_of({".....", ".#...", ".....", ".....", "#...."});
  const auto no_rbc = mask_of({".....", ".....", ".....", ".....", "....."});
  Image<std::uint8_t> selected(5, 5);
  reference::select(context, difference.view(), seeds.view(), no_rbc.view(), kPaperPixels.nucleus_level,
                    kPaperPixels.local_reach, kPaperPixels.local_weight, kPaperPixels.hole_max_area, selected.view());
  // The column on the right has no seed; the lone pixel has one but no cross fits it.
  EXPECT_TRUE(same(mask_of({".#...", "###..", ".#...", ".....", "....."}), selected));

  const auto rbc = mask_of({".....", "#....", ".....", ".....", "....."});
  reference::select(context, difference.view(), seeds.view(), rbc.view(), kPaperPixels.nucleus_level,
                    kPaperPixels.local_reach, kPaperPixels.local_weight, kPaperPixels.hole_max_area, selected.view());
  EXPECT_TRUE(same(mask_of({".....", ".....", ".....", ".....", "....."}), selected));
}

TEST(SelectReference, FillsHolesAndTreatsTheBorderAsNeutral) {
  support::TestContext context;
  const Image<std::uint8_t> difference({{90, 90, 90}, {90, 0, 90}, {90, 90, 90}});
  const auto seeds = mask_of({"#..", "...", "..."});
  const Image<std::uint8_t> rbc(3, 3);
  Image<std::uint8_t> selected(3, 3);
  reference::select(context, difference.view(), seeds.view(), rbc.view(), kPaperPixels.nucleus_level,
                    kPaperPixels.local_reach, kPaperPixels.local_weight, kPaperPixels.hole_max_area, selected.view());
  EXPECT_TRUE(same(mask_of({"###", "###", "###"}), selected));
}

TEST(SelectReference, LeavesLargeHolesOpen) {
  support::TestContext context;
  const auto ring = mask_of({"#####", "#...#", "#.#.#", "#...#", "#####"});
  const Image<std::uint8_t> rbc(5, 5);
  Image<std::uint8_t> selected(5, 5);
  const auto select = [&](int hole_max_area) {
    reference::select(context, ring.view(), ring.view(), rbc.view(), 45, 0, 0, hole_max_area, selected.view());
    return selected.at(1, 1);
  };
  EXPECT_EQ(select(8), 0);
  EXPECT_EQ(select(9), 255);
}

TEST(Select, CpuMatchesTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    const auto noise = support::noise<std::uint8_t>(rng, width, height, padding, 100);
    const auto blobs = support::blobs(rng, width, height, padding, 20);
    const auto rare = support::mask_noise(rng, width, height, padding, 0.02);
    for (const auto& difference : {noise, blobs})
      support::for_mask_kinds(rng, width, height, padding, [&](const Image<std::uint8_t>& mask) {
        const int level = static_cast<int>(rng() % 60), reach = static_cast<int>(rng() % 9);
        const int weight = static_cast<int>(rng() % 101);
        const int hole = rng() % 2 == 0 ? kAnyArea : static_cast<int>(rng() % 30);
        for (const auto& [seeds, rbc] : {std::pair{&mask, &rare}, {&rare, &mask}}) {
          Image<std::uint8_t> expected(width, height, padding), actual(width, height, padding);
          reference::select(context, difference.view(), seeds->view(), rbc->view(), level, reach, weight, hole,
                            expected.view());
          cpu::select(context, difference.view(), seeds->view(), rbc->view(), level, reach, weight, hole,
                      actual.view());
          ASSERT_TRUE(same(expected, actual));
        }
      });
  });
}

}  // namespace
}  // namespace starpath
