// Who owns an object, and which cells are glass.
#include "pipelines/segmentation/ownership.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

// A slide of 16 x 8 pixels in cells of 4, tiles of 8: the second tile.
const Tile kRight{1, {8, 0, 8, 8}, {4, 0, 12, 8}};

TissueMask tissue_with(const std::vector<std::uint32_t>& counts) {
  return TissueMask(kRight, 4, 16, 8, counts, 3, 9000);
}

const TissueMask kAllTissue = tissue_with({0, 0, 0, 0, 0, 0});

TEST(RoleOf, CentroidInTheCoreIsOwned) {
  EXPECT_EQ(role_of(kRight, kAllTissue, 1, 8, 0), io::NucleusRole::owned);  // the pixel (8, 0) has its centre at 8.5
  EXPECT_EQ(role_of(kRight, kAllTissue, 1, 15, 7), io::NucleusRole::owned);
  EXPECT_EQ(role_of(kRight, kAllTissue, 2, 8 + 7, 0),
            io::NucleusRole::owned);  // pixels 7 and 8: centroid exactly on the seam
}

TEST(RoleOf, EveryCentroidHasOneOwner) {
  const Tile left{0, {0, 0, 8, 8}, {0, 0, 12, 8}};
  const TissueMask left_tissue(left, 4, 16, 8, std::vector<std::uint32_t>(6, 0), 3, 9000);
  for (std::int64_t area = 1; area <= 5; ++area)
    for (std::int64_t sum = 0; sum < 16 * area - area; ++sum) {
      const int owners = (role_of(left, left_tissue, area, sum, 0) == io::NucleusRole::owned) +
                         (role_of(kRight, kAllTissue, area, sum, 0) == io::NucleusRole::owned);
      EXPECT_EQ(owners, 1) << "area " << area << " sum " << sum;
    }
}

TEST(RoleOf, JustOutsideIsACandidateAndFartherIsNone) {
  EXPECT_EQ(role_of(kRight, kAllTissue, 1, 7, 3), io::NucleusRole::candidate);
  EXPECT_EQ(role_of(kRight, kAllTissue, 1, 4, 3), io::NucleusRole::candidate);
  EXPECT_EQ(role_of(kRight, kAllTissue, 1, 3, 3), io::NucleusRole::none);
}

TEST(RoleOf, GlassCellsOwnNothing) {
  const TissueMask tissue = tissue_with({0, 15, 0, 0, 0, 16});  // 15 of 16 is above 90 %
  EXPECT_EQ(role_of(kRight, tissue, 1, 9, 1), io::NucleusRole::background);
  EXPECT_EQ(role_of(kRight, tissue, 1, 9, 5), io::NucleusRole::owned);
  EXPECT_EQ(role_of(kRight, tissue, 1, 12, 4), io::NucleusRole::background);
}

TEST(TissueMask, NinetyPercentIsGlass) {
  const Tile tile{0, {0, 0, 10, 1}, {0, 0, 10, 1}};
  EXPECT_TRUE(TissueMask(tile, 10, 10, 1, std::vector<std::uint32_t>{9}, 1, 9000).all_glass());
  EXPECT_FALSE(TissueMask(tile, 10, 10, 1, std::vector<std::uint32_t>{8}, 1, 9000).all_glass());
}

TEST(TissueMask, AreaIsOfTheCoreAlone) {
  EXPECT_EQ(kAllTissue.area(), 64);
  EXPECT_EQ(tissue_with({0, 15, 0, 0, 0, 16}).area(), 32);
  // Cells of 4 that the core's border cuts, of a slide that ends in the last one.
  const Tile tile{0, {2, 0, 7, 5}, {0, 0, 10, 5}};
  EXPECT_EQ(TissueMask(tile, 4, 10, 5, std::vector<std::uint32_t>(6, 0), 3, 9000).area(), 35);
  EXPECT_EQ(TissueMask(tile, 4, 10, 5, std::vector<std::uint32_t>{16, 0, 0, 0, 0, 2}, 3, 9000).area(), 26);
}

TEST(TissueMask, TheShareIsTheUsers) {
  const Tile tile{0, {0, 0, 256, 256}, {0, 0, 256, 256}};
  const auto all_glass = [&](std::uint32_t others, int share) {
    return TissueMask(tile, 256, 256, 256, std::vector<std::uint32_t>{65536 - others}, 1, share).all_glass();
  };
  EXPECT_TRUE(all_glass(32, 9995));
  EXPECT_FALSE(all_glass(33, 9995));
  EXPECT_TRUE(all_glass(0, 10000));
  EXPECT_FALSE(all_glass(1, 10000));
}

TEST(TissueMask, CellsAtTheBorderAreMeasuredByWhatTheyHold) {
  const Tile tile{0, {0, 0, 5, 1}, {0, 0, 5, 1}};  // cells of 4: the second holds one pixel
  EXPECT_TRUE(TissueMask(tile, 4, 5, 1, std::vector<std::uint32_t>{4, 1}, 2, 9000).all_glass());
  EXPECT_FALSE(TissueMask(tile, 4, 5, 1, std::vector<std::uint32_t>{4, 0}, 2, 9000).all_glass());
}

}  // namespace
}  // namespace starpath
