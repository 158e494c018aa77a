// Labels, boxes and area filters.
#include "codelets/kernels/connected_components.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using support::Image;
using support::mask_of;
using support::Rng;
using support::same;
using Labels = Image<std::int32_t>;

TEST(LabelComponentsReference, NumbersObjectsInRasterOrderOfFirstPixels) {
  support::TestContext context;
  const auto mask = mask_of({"..#.#",  //
                             "#.#.#",  //
                             "##..#",  //
                             "...#.",  //
                             "#...."});
  Labels four(5, 5), eight(5, 5);
  std::int32_t count = 0;
  reference::label_components(context, mask.view(), Connectivity::four, four.view(), &count);
  EXPECT_EQ(count, 5);
  EXPECT_TRUE(same(Labels({{0, 0, 1, 0, 2},  //
                           {3, 0, 1, 0, 2},
                           {3, 3, 0, 0, 2},
                           {0, 0, 0, 4, 0},
                           {5, 0, 0, 0, 0}}),
                   four));
  reference::label_components(context, mask.view(), Connectivity::eight, eight.view(), &count);
  EXPECT_EQ(count, 3);
  EXPECT_TRUE(same(Labels({{0, 0, 1, 0, 2},  //
                           {1, 0, 1, 0, 2},
                           {1, 1, 0, 0, 2},
                           {0, 0, 0, 2, 0},
                           {3, 0, 0, 0, 0}}),
                   eight));
}

TEST(ObjectBoxesReference, DescribeEachObject) {
  support::TestContext context;
  const Labels labels({{0, 0, 1, 0}, {0, 1, 1, 0}, {2, 0, 0, 0}});
  std::vector<ObjectBox> boxes(2);
  reference::object_boxes(context, labels.view(), boxes);
  const auto fields = [](const ObjectBox& b) {
    return std::vector<std::int64_t>{b.x0, b.y0, b.x1, b.y1, b.area, b.first_x, b.first_y, b.sum_x, b.sum_y};
  };
  EXPECT_EQ(fields(boxes[0]), (std::vector<std::int64_t>{1, 0, 3, 2, 3, 2, 0, 5, 2}));
  EXPECT_EQ(fields(boxes[1]), (std::vector<std::int64_t>{0, 2, 1, 3, 1, 0, 2, 0, 2}));
}

TEST(AreaFilterReference, KeepsAreasFromTheMinimumToBelowTheMaximum) {
  support::TestContext context;
  const auto mask = mask_of({"##.##", ".....", "###.#"});
  Image<std::uint8_t> out(5, 3);
  reference::area_filter(context, mask.view(), Connectivity::four, 2, 3, out.view());
  EXPECT_TRUE(same(mask_of({"##.##", ".....", "....."}), out));
}

TEST(AreaThreshold, IsTheAreaFilterFrom11ToBelow1000) {
  support::TestContext context;
  for (const auto& [area, kept] : {std::pair{10, false}, {11, true}, {999, true}, {1000, false}}) {
    Image<std::uint8_t> line(1001, 1), expected(1001, 1), plain(1001, 1), fast(1001, 1);
    std::fill_n(line.view().row(0), area, std::uint8_t{255});
    if (kept) expected = line;
    reference::area_threshold(context, line.view(), kPaperPixels.seed_min_area, kPaperPixels.seed_max_area,
                              plain.view());
    cpu::area_threshold(context, line.view(), kPaperPixels.seed_min_area, kPaperPixels.seed_max_area, fast.view());
    EXPECT_TRUE(same(expected, plain)) << area;
    EXPECT_TRUE(same(expected, fast)) << area;
  }
}

class Connectivities : public ::testing::TestWithParam<Connectivity> {};
INSTANTIATE_TEST_SUITE_P(Both, Connectivities, ::testing::Values(Connectivity::four, Connectivity::eight));

TEST_P(Connectivities, CpuLabelsAndBoxesMatchTheReference) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Image<std::uint8_t>& mask) {
      Labels expected(width, height, padding), actual(width, height, padding);
      std::int32_t expected_count = -1, actual_count = -1;
      reference::label_components(context, mask.view(), GetParam(), expected.view(), &expected_count);
      cpu::label_components(context, mask.view(), GetParam(), actual.view(), &actual_count);
      EXPECT_EQ(expected_count, actual_count);
      ASSERT_TRUE(same(expected, actual));

      std::vector<ObjectBox> plain(static_cast<std::size_t>(expected_count)), fast = plain;
      reference::object_boxes(context, expected.view(), plain);
      cpu::object_boxes(context, expected.view(), fast);
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const ObjectBox &a = plain[i], &b = fast[i];
        ASSERT_TRUE(a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1 && a.area == b.area &&
                    a.first_x == b.first_x && a.first_y == b.first_y && a.sum_x == b.sum_x && a.sum_y == b.sum_y)
            << "object " << i + 1;
      }
    });
  });
}

TEST_P(Connectivities, CpuAreaFilterMatchesTheReferenceAlsoInPlace) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Image<std::uint8_t>& mask) {
      Image<std::uint8_t> expected(width, height, padding), actual = mask;
      reference::area_filter(context, mask.view(), GetParam(), 3, 20, expected.view());
      cpu::area_filter(context, actual.view(), GetParam(), 3, 20, actual.view());
      ASSERT_TRUE(same(expected, actual));
    });
  });
}

}  // namespace
}  // namespace starpath
