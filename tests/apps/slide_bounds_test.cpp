// A slide that lies on a larger canvas gives what the slide alone gives: QuPath counts from the same place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "io/exports/slide_of_results.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/io/scanner_files.hpp"

namespace starpath {
namespace {

using namespace io::test;
using test::expect_says;
using test::read_file;
using test::shell;

class SlideOnACanvas : public testing::Test {
 protected:
  SlideOnACanvas() : tissue_(read_all(*io::open_slide("synthetic:768x640,seed=4,mpp=0.5"))) {
    write_scn(scn_, tissue_, 301, 501, 1500, 1700);
    write_tiff(plain_, {rgb_page(tissue_)}, {.tile = 256, .more = [](TIFF* tiff) {
                                               TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                                               for (const auto tag : {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION})
                                                 TIFFSetField(tiff, static_cast<std::uint32_t>(tag), 20000.0);
                                             }});
  }

  std::string run(const std::string& slide, const std::string& name, const std::string& more = "") const {
    const std::string out = folder_ / name;
    expect_says(shell(fmt::format("starpath segment {} --preset paper --quiet {} --out {}", slide, more, out)), 0, {});
    return out;
  }

  const TempFolder folder_;
  const std::string scn_ = folder_ / "a.scn", plain_ = folder_ / "plain.tif";
  const Picture tissue_;
};

TEST_F(SlideOnACanvas, GivesWhatTheSlideAloneGives) {
  const std::string formats = "--export csv,overlay";
  const std::string on_canvas = run(scn_, "scn", formats), alone = run(plain_, "plain", formats);
  const std::string table = read_file(alone + "/nuclei.csv");
  EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 20);
  EXPECT_EQ(read_file(on_canvas + "/nuclei.csv"), table);
  EXPECT_EQ(read_all(*io::open_slide(on_canvas + "/overlay.png")), read_all(*io::open_slide(alone + "/overlay.png")));
  EXPECT_EQ(test::outlines(on_canvas), test::outlines(alone));

  const io::RunInfo info = io::ResultStore::open(on_canvas + "/results.sqlite").info();
  EXPECT_EQ(info.origin, (io::CanvasPlace{301, 501}));
  EXPECT_EQ(info.slide_width, 768);
  EXPECT_EQ(io::ResultStore::open(alone + "/results.sqlite").info().origin, io::CanvasPlace{});
}

TEST_F(SlideOnACanvas, FindsTheNucleiOfARegionThatWasDrawnInQuPath) {
  const std::string drawn = folder_ / "drawn.geojson";
  std::ofstream(drawn) << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":
    [[[100,80],[500,80],[500,400],[100,400],[100,80]]]},"properties":{}})";
  const auto found = test::outlines(run(scn_, "scn", "--export none --roi " + drawn));
  EXPECT_GT(found.size(), 5U);
  EXPECT_EQ(found, test::outlines(run(plain_, "plain", "--export none --roi " + drawn)));
}

TEST_F(SlideOnACanvas, IsToldByInfo) {
  expect_says(shell("starpath info " + scn_), 0,
              {"768 x 640 px", "x=301, y=501 of a canvas of 1500 x 1700 px", "QuPath"});
  expect_says(shell("starpath info --json " + scn_), 0, {R"("canvas_width": 1500)", R"("x": 301)"});
  expect_says(shell("starpath info --json " + plain_), 0, {R"("bounds": null)"});
}

/// As 0.1.0 and earlier builds of 0.2.0 made them: of the canvas, and with no word of an origin.
TEST_F(SlideOnACanvas, ShowsTheWholeCanvasBelowResultsThatCountFromIt) {
  io::RunInfo info = io::ResultStore::open(run(scn_, "scn", "--export none") + "/results.sqlite").info();
  EXPECT_EQ(io::open_slide_of(info)->info().width(), 768);
  info.origin.reset();
  const auto canvas = io::open_slide_of(info);
  EXPECT_EQ(canvas->info().width(), 1500);
  EXPECT_EQ(read(*canvas, 0, 301, 501, 768, 640), tissue_);
}

}  // namespace
}  // namespace starpath
