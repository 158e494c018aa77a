// The full-size overlay, read back by libtiff and by OpenSlide.
#include <gtest/gtest.h>
#include <openslide/openslide.h>
#include <tiffio.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/pure/rect.hpp"
#include "io/exports/exports.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/slide.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

constexpr Rgb kTissueShade{200, 150, 200}, kLostShade{128, 128, 128};
constexpr Rect kLostPiece{640, 512, 128, 128};

/// One colour, and a stored piece that cannot be read.
class PlainSlide final : public Slide {
 public:
  PlainSlide(int width, int height, bool holed) : holed_(holed) {
    info_.path = "plain";
    info_.levels = {{width, height, 1, 128, 128}};
  }
  const SlideInfo& info() const override { return info_; }
  void read(int, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (holed_ && !intersection(kLostPiece, {x, y, out.width, out.height}).empty())
      throw Error(ErrorKind::input, "a hole");
    for (int row = 0; row < out.height; ++row) std::fill_n(out.row(row), out.width, kTissueShade);
  }

 private:
  SlideInfo info_;
  const bool holed_;
};

class OverlayPyramid : public testing::Results {
 protected:
  ResultStore make_empty(int width, int height) {
    RunInfo info = testing::info(width, height);
    info.scale = 1;
    return ResultStore::create(file, testing::key(), info);
  }
  ResultStore make(int width, int height) {
    ResultStore store = make_empty(width, height);
    for (const auto& tile : testing::tiles(4, 3, 320, 17)) TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
    return store;
  }
  const std::string path = (folder / "overlay.tif").string();
};

/// JPEG changes pixels a little.
bool alike(Rgb a, Rgb b) { return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) < 60; }

/// Whether a pixel is nearer to the green of outlines than to the slide.
bool outlined(Rgb pixel) { return pixel.r < kTissueShade.r / 2; }

TEST_F(OverlayPyramid, HasThePixelsOfTheOverlay) {
  const ResultStore store = make(1300, 1100);
  const PlainSlide slide(1300, 1100, false);
  export_overlay_pyramid(store, slide, path);
  export_overlay(store, slide, folder / "overlay.png", 1300);
  const auto png = open_slide((folder / "overlay.png").string()), tiff = open_slide(path);
  ASSERT_EQ(tiff->info().levels.size(), 3u);
  ASSERT_EQ(png->info().width(), tiff->info().width());
  std::vector<Rgb> wanted(1300 * 1100), found(wanted.size());
  png->read(0, 0, 0, {wanted.data(), 1300, 1100, 1300});
  tiff->read(0, 0, 0, {found.data(), 1300, 1100, 1300});
  std::size_t unlike = 0, drawn = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    unlike += outlined(wanted[i]) != outlined(found[i]);
    drawn += outlined(wanted[i]);
  }
  EXPECT_GT(drawn, 5000u);
  EXPECT_LT(unlike, drawn / 50);
}

TEST_F(OverlayPyramid, LibtiffReadsEveryTileOfEveryPage) {
  export_overlay_pyramid(make(1300, 1100), PlainSlide(1300, 1100, false), path);
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen(path.c_str(), "r"), TIFFClose);
  ASSERT_NE(tiff, nullptr);
  for (std::uint32_t page = 0; page < 3; ++page) {
    SCOPED_TRACE(page);
    ASSERT_EQ(TIFFSetDirectory(tiff.get(), static_cast<tdir_t>(page)), 1);
    std::uint32_t width = 0, kind = 0;
    float resolution = 0;
    TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SUBFILETYPE, &kind);
    ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &resolution), 1);
    EXPECT_EQ(width, 1300u >> page);
    EXPECT_EQ(kind, page == 0 ? 0u : FILETYPE_REDUCEDIMAGE);
    EXPECT_NEAR(resolution, 20000.0 / (1 << page), 0.1);  // 0.5 um a pixel
    TIFFSetField(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    std::vector<std::uint8_t> tile(static_cast<std::size_t>(TIFFTileSize(tiff.get())));
    for (std::uint32_t i = 0; i < TIFFNumberOfTiles(tiff.get()); ++i)
      EXPECT_EQ(TIFFReadEncodedTile(tiff.get(), i, tile.data(), -1), static_cast<tmsize_t>(tile.size())) << i;
  }
  EXPECT_TRUE(TIFFLastDirectory(tiff.get()));
}

TEST_F(OverlayPyramid, OpenSlideOpensIt) {
  export_overlay_pyramid(make(1300, 1100), PlainSlide(1300, 1100, false), path);
  const std::unique_ptr<openslide_t, void (*)(openslide_t*)> slide(openslide_open(path.c_str()), openslide_close);
  ASSERT_NE(slide, nullptr);
  ASSERT_EQ(openslide_get_error(slide.get()), nullptr);
  EXPECT_STREQ(openslide_get_property_value(slide.get(), OPENSLIDE_PROPERTY_NAME_VENDOR), "generic-tiff");
  ASSERT_EQ(openslide_get_level_count(slide.get()), 3);
  for (int level = 0; level < 3; ++level) {
    EXPECT_NEAR(openslide_get_level_downsample(slide.get(), level), 1 << level, 0.01);
    std::vector<std::uint32_t> pixels(64 * 64);
    openslide_read_region(slide.get(), pixels.data(), 0, 0, level, 64, 64);
    ASSERT_EQ(openslide_get_error(slide.get()), nullptr);
    for (const std::uint32_t pixel : pixels) EXPECT_EQ(pixel >> 24, 255u);
  }
}

TEST_F(OverlayPyramid, WhatCannotBeReadIsGrayOnEveryPage) {
  export_overlay_pyramid(make_empty(1300, 1100), PlainSlide(1300, 1100, true), path);
  const auto tiff = open_slide(path);
  ASSERT_EQ(tiff->info().levels.size(), 3u);
  for (int level = 0; level < 3; ++level) {
    const std::int64_t x = (kLostPiece.x + kLostPiece.width / 2) >> level,
                       y = (kLostPiece.y + kLostPiece.height / 2) >> level;
    Rgb pixel{};
    tiff->read(level, x, y, {&pixel, 1, 1, 1});
    EXPECT_TRUE(alike(pixel, kLostShade)) << level;
  }
}

TEST_F(OverlayPyramid, DoesNotDependOnThreadsAndIsKnown) {
  const ResultStore store = make(1300, 1100);
  const PlainSlide slide(1300, 1100, false);
  ExportOptions options;
  std::string first;
  for (const int threads : {1, 3}) {
    options.threads = std::make_shared<ThreadBudget>(threads);
    export_overlay_pyramid(store, slide, path, options);
    if (first.empty()) first = testing::bytes_of(path);
    EXPECT_EQ(testing::bytes_of(path), first);
  }
  EXPECT_TRUE(is_overlay_pyramid_export(path));
  EXPECT_FALSE(is_labels_export(path));
}

}  // namespace
}  // namespace starpath::io
