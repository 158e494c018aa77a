// How the size of maps and what a user says tell their scale.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/slides/slide.hpp"
#include "pipelines/segmentation/instance_maps.hpp"

namespace starpath {
namespace {

/// A slide without pixels.
class Sized final : public io::Slide {
 public:
  explicit Sized(std::vector<io::SlideLevel> levels) {
    info_.path = "slide";
    info_.mpp = 0.25;
    info_.levels = std::move(levels);
  }
  const io::SlideInfo& info() const override { return info_; }
  void read(int, std::int64_t, std::int64_t, View<Rgb>) const override {}

 private:
  io::SlideInfo info_;
};

class MapScaleTest : public testing::Test {
 protected:
  MapScale scale(std::int64_t width, std::int64_t height, double mpp = 0, bool may_be_smaller = false) const {
    return scale_of_map("map", {width, height}, mpp, may_be_smaller, 0.25, grid_);
  }
  std::string said(std::int64_t width, std::int64_t height, double mpp = 0, bool may_be_smaller = false) const {
    try {
      scale(width, height, mpp, may_be_smaller);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  const Sized slide_{{{40001, 30003, 1}, {10000, 7500, 4.0003}}};
  const io::WorkingSlide grid_{slide_, 0.5, 0.25};
};

TEST_F(MapScaleTest, IsThatOfALevelOrOfTheWorkingGrid) {
  EXPECT_EQ(scale(40001, 30003).working, 2);
  EXPECT_EQ(scale(40001, 30003).level0, 1);
  EXPECT_EQ(scale(10000, 7500).working, 0.5);
  EXPECT_EQ(scale(grid_.width(), grid_.height()).working, 1);
  EXPECT_EQ(said(20000, 15000),
            "map: the maps have 20000x15000 pixels, and the slide 40001x30003 (0.25 um/px), 10000x7500 (1 um/px), "
            "20001x15002 (0.5 um/px); give maps of one of these sizes, or say their resolution with --map-mpp");
}

TEST_F(MapScaleTest, NamesASizeOnce) {
  const io::WorkingSlide grid(slide_, 0.25, 0.25);  // that of level 0
  try {
    scale_of_map("map", {5, 5}, 0, false, 0.25, grid);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the slide 40001x30003 (0.25 um/px), 10000x7500 (1 um/px); give"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(MapScaleTest, IsSaid) {
  EXPECT_NEAR(scale(13334, 10001, 0.75).level0, 3, 1e-3);
  EXPECT_NEAR(scale(13334, 10001, 0.7505).level0, 3, 1e-3) << "0.7505 is rounded, and the sides tell 0.75";
  EXPECT_EQ(
      said(13334, 10001, 0.5),
      "map: the maps have 13334x10001 pixels of 0.5 um, and the slide 40001x30003 of 0.25 um, which is 20001x15002 of "
      "0.5 um; give maps of the whole slide, or their right --map-mpp");
}

TEST_F(MapScaleTest, OfACutMapIsNotMadeUp) {
  EXPECT_NE(said(13312, 10001, 0.75), "nothing");
  EXPECT_NE(said(13312, 9984, 0.75), "nothing");
  EXPECT_NE(said(6000, 4500, 0.75), "nothing");
}

TEST_F(MapScaleTest, OfPiecesThatMayBeMissingIsTheOneThatIsSaid) {
  const MapScale found = scale(13312, 9000, 0.75, true);
  EXPECT_EQ(found.level0, 3);
  EXPECT_EQ(found.size, (io::MapSize{13334, 10001}));
  EXPECT_NE(said(13400, 9000, 0.75, true), "nothing");
}

TEST_F(MapScaleTest, OfPointsIsThatOfTheirImage) {
  const auto of_points = [&](std::int64_t width, std::int64_t height, double mpp, int step) {
    return scale_of_map("map", {width, height}, mpp, false, 0.25, grid_, step);
  };
  EXPECT_EQ(of_points(20001, 15002, 0, 2).level0, 1) << "begun squares of 2 x 2 count";
  EXPECT_EQ(of_points(2500, 1875, 0, 4).working, 0.5);
  EXPECT_EQ(of_points(10001, 7501, 0, 2).working, 1) << "of the working grid";
  EXPECT_NEAR(of_points(6667, 5001, 0.75, 2).level0, 3, 2e-3);
  EXPECT_EQ(of_points(6667, 5001, 0.75, 2).size, (io::MapSize{6667, 5001}));
  EXPECT_THROW(of_points(6000, 5001, 0.75, 2), Error);
  EXPECT_THROW(of_points(10000, 7500, 0, 2), Error);
}

}  // namespace
}  // namespace starpath
