// Slides that lie on a larger canvas have QuPath's origin and extent (its OpenslideImageServer).
#include "io/slides/slide_bounds.hpp"

#include "io/slides/opening.hpp"
#include "scanner_files.hpp"

namespace starpath::io::test {
namespace {

std::map<std::string, std::string> bounds(const char* x, const char* y, const char* width, const char* height) {
  return {{"openslide.bounds-x", x},
          {"openslide.bounds-y", y},
          {"openslide.bounds-width", width},
          {"openslide.bounds-height", height}};
}

TEST(SlideBounds, AreTakenWhereAllFourAreWholeNumbers) {
  const auto found = stated_bounds("a.mrxs", bounds("300", "500", "1024", "900"), 2000, 3000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->x, 300);
  EXPECT_EQ(found->y, 500);
  EXPECT_EQ(found->width, 1024);
  EXPECT_EQ(found->height, 900);
  for (const char* no_number : {"", "many", "300.5", "4294967296", "0x10"})
    EXPECT_FALSE(stated_bounds("a.mrxs", bounds("300", "500", no_number, "900"), 2000, 3000)) << no_number;
  auto three = bounds("300", "500", "1024", "900");
  three.erase("openslide.bounds-y");
  EXPECT_FALSE(stated_bounds("a.mrxs", three, 2000, 3000));
  EXPECT_FALSE(stated_bounds("a.mrxs", bounds("0", "0", "2000", "3000"), 2000, 3000)) << "the whole canvas";
}

TEST(SlideBounds, ThatReachOverTheCanvasKeepTheirOrigin) {
  const auto found = stated_bounds("a.mrxs", bounds("-1", "500", "2002", "2501"), 2000, 3000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->x, -1);
  EXPECT_EQ(found->width, 2002);
  EXPECT_EQ(found->height, 2501);
}

TEST(SlideBounds, WhereNothingIsAreRefused) {
  for (const auto& [x, width] : {std::pair{"2000", "10"}, {"-10", "10"}, {"5", "0"}, {"5", "-7"}}) {
    const std::string message =
        error_of(ErrorKind::input, [&] { stated_bounds("a.mrxs", bounds(x, "0", width, "10"), 2000, 3000); });
    EXPECT_NE(message.find("a.mrxs: says that its"), std::string::npos) << message;
    EXPECT_NE(message.find("2000 x 3000"), std::string::npos) << message;
  }
}

TEST(SlideBounds, LevelsAreRoundedDown) {
  const SlideBounds part{301, 501, 1023, 7};
  const SlideLevel level = level_within(part, {500, 750, 4});
  EXPECT_EQ(level.width, 255);
  EXPECT_EQ(level.height, 1);
  EXPECT_EQ(level.downsample, 4);
  EXPECT_EQ(level_within(part, {10, 10, 64}).height, 1) << "one pixel at the least";
}

TEST(SlideBounds, AGridIsFixedWherePlacesFallOnTheSameFractions) {
  EXPECT_TRUE(has_fixed_grid({9, 9, 4}, 301, 502));
  EXPECT_TRUE(has_fixed_grid({9, 9, 3}, 300, 9));
  EXPECT_FALSE(has_fixed_grid({9, 9, 3}, 301, 9));
  EXPECT_FALSE(has_fixed_grid({9, 9, 4.0002}, 0, 0));
}

void expect_lies_at(const Slide& slide, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
  ASSERT_TRUE(slide.info().place);
  EXPECT_EQ(slide.info().place->x, x);
  EXPECT_EQ(slide.info().place->y, y);
  EXPECT_EQ(slide.info().place->width, width);
  EXPECT_EQ(slide.info().place->height, height);
}

TEST(SlideBounds, OfALeicaSlide) {
  const TempFolder folder;
  const Picture picture = pattern(128, 128);
  write_scn(folder / "a.scn", picture, 75, 41, 400, 300);
  const auto slide = open_slide(folder / "a.scn");
  EXPECT_EQ(slide->info().format, "leica");
  expect_lies_at(*slide, 75, 41, 400, 300);
  EXPECT_EQ(slide->info().mpp, 0.5);
  EXPECT_EQ(read_all(*slide), picture);
  ASSERT_EQ(slide->info().levels.size(), 2u);
  EXPECT_EQ(slide->info().levels[1].downsample, 4);
  EXPECT_EQ(read_all(*slide, 1), every(4, picture)) << "75 is no multiple of 4";
  for (const int level : {0, 1}) {
    const Picture whole = read_all(*slide, level);
    for (const auto& [x, y] : {std::pair{-5, -6}, {7, 13}, {20, 3}})
      EXPECT_EQ(read(*slide, level, x, y, 40, 35), crop(whole, x, y, 40, 35)) << level << ": " << x << "," << y;
  }
}

TEST(SlideBounds, OfAMiraxSlide) {
  const TempFolder folder;
  const Picture picture = pattern(128, 64);
  write_mirax(folder / "a.mrxs", picture, 2, 4, 10, 8);
  const auto slide = open_slide(folder / "a.mrxs");
  EXPECT_EQ(slide->info().format, "mirax");
  expect_lies_at(*slide, 64, 128, 320, 256);
  EXPECT_EQ(read_all(*slide), picture);
  EXPECT_EQ(read_all(*slide, 1), every(2, picture));
  EXPECT_EQ(read(*slide, 0, -8, -8, 60, 60), crop(picture, -8, -8, 60, 60));
}

TEST(SlideBounds, OfAMiraxSlideWhoseTilesOverlapAreOdd) {
  const TempFolder folder;
  write_mirax(folder / "a.mrxs", pattern(128, 64), 2, 4, 10, 8, 3);
  const auto slide = open_slide(folder / "a.mrxs");
  expect_lies_at(*slide, 58, 116, 293, 235);
  EXPECT_EQ(slide->info().width(), 128 - 3 * 3);
  EXPECT_EQ(slide->info().height(), 64 - 3);
  EXPECT_EQ(slide->info().levels[1].width, (128 - 3 * 3) / 2);
  for (const int level : {0, 1}) {
    const Picture whole = read_all(*slide, level);
    for (const auto& [x, y] : {std::pair{1, 2}, {13, 7}, {30, 0}})
      EXPECT_EQ(read(*slide, level, x, y, 20, 20), crop(whole, x, y, 20, 20)) << level << ": " << x << "," << y;
  }
}

/// OpenSlide 3.4 to 4.0 says no bounds of them, so QuPath shows the canvas.
TEST(SlideBounds, AreNoneOfAVentanaSlide) {
  const TempFolder folder;
  const Picture picture = pattern(64, 64);
  write_bif(folder / "a.bif", picture, 17);
  const auto slide = open_slide(folder / "a.bif");
  EXPECT_EQ(slide->info().format, "ventana");
  EXPECT_FALSE(slide->info().place);
  EXPECT_EQ(slide->info().width(), 81);
  EXPECT_EQ(read(*slide, 0, 17, 0, 64, 64), picture);
}

TEST(SlideBounds, TheWholeCanvasIsThereForResultsOfOlderVersions) {
  const TempFolder folder;
  const Picture picture = pattern(128, 128);
  write_scn(folder / "a.scn", picture, 75, 41, 400, 300);
  const auto canvas = open_slide(folder / "a.scn", {.whole_canvas = true});
  EXPECT_FALSE(canvas->info().place);
  EXPECT_EQ(canvas->info().width(), 400);
  EXPECT_EQ(canvas->info().height(), 300);
  EXPECT_EQ(read(*canvas, 0, 75, 41, 128, 128), picture);
  EXPECT_EQ(canvas->info().fingerprint, open_slide(folder / "a.scn")->info().fingerprint);
}

}  // namespace
}  // namespace starpath::io::test
