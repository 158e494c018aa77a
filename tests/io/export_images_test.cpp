// Label TIFF and overlay PNG: read back, every pixel is what the nuclei say.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>

#include "io/exports/exports.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

class ExportImagesTest : public testing::Results {
 protected:
  ResultStore make(const RunInfo& info, int across, int down, int side) {
    ResultStore store = ResultStore::create(file, testing::key(), info);
    for (const auto& tile : testing::tiles(across, down, side, 17))
      TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
    return store;
  }
};

/// The grid with each pixel's nucleus, painted without bands or tiles.
std::vector<std::uint32_t> painted(const ResultStore& store) {
  const RunInfo info = store.info();
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(info.width * info.height));
  NucleusStore(store).for_each_nucleus(false, [&](std::int64_t id, const NucleusRecord& n) {
    for (const auto& run : pixel_runs(n.contour))
      for (std::int64_t x = run.x0; x < run.x1; ++x)
        pixels[static_cast<std::size_t>(run.y * info.width + x)] = static_cast<std::uint32_t>(id);
  });
  return pixels;
}

std::vector<std::uint32_t> read_directory(TIFF* tiff, std::uint32_t& width, std::uint32_t& height) {
  std::uint32_t tile_width = 0, tile_height = 0;
  std::uint16_t compression = 0, predictor = 0, bits = 0;
  EXPECT_TRUE(TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) && TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height));
  EXPECT_TRUE(TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tile_width) &&
              TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_height));
  EXPECT_TRUE(TIFFGetField(tiff, TIFFTAG_COMPRESSION, &compression) &&
              TIFFGetField(tiff, TIFFTAG_PREDICTOR, &predictor));
  EXPECT_TRUE(TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits));
  EXPECT_EQ(tile_width, 512U);
  EXPECT_EQ(tile_height, 512U);
  EXPECT_EQ(compression, COMPRESSION_ADOBE_DEFLATE);
  EXPECT_EQ(predictor, PREDICTOR_HORIZONTAL);
  EXPECT_EQ(bits, 32U);
  std::vector<std::uint32_t> pixels(std::size_t{width} * height), tile(512 * 512);
  for (std::uint32_t y = 0; y < height; y += 512)
    for (std::uint32_t x = 0; x < width; x += 512) {
      EXPECT_GT(TIFFReadTile(tiff, tile.data(), x, y, 0, 0), 0);
      for (std::uint32_t row = 0; row < std::min(512U, height - y); ++row)
        std::copy_n(tile.begin() + 512 * row, std::min(512U, width - x),
                    pixels.begin() + static_cast<std::ptrdiff_t>(std::size_t{width} * (y + row) + x));
    }
  return pixels;
}

TEST_F(ExportImagesTest, EveryLevelOfTheLabelPyramidIsTheNearestPixel) {
  const ResultStore store = make(testing::info(1300, 1100), 4, 3, 320);
  export_labels(store, folder / "labels.tif");
  const auto expected = painted(store);
  std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen((folder / "labels.tif").c_str(), "r"), TIFFClose);
  ASSERT_NE(tiff, nullptr);
  EXPECT_EQ(TIFFNumberOfDirectories(tiff.get()), 1U) << "the levels must lie in SubIFDs";
  std::uint16_t count = 0;
  toff_t* offsets = nullptr;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_SUBIFD, &count, &offsets), 1);
  ASSERT_EQ(count, 2U);
  std::vector<toff_t> places(offsets, offsets + count);
  float resolution = 0;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &resolution), 1);
  EXPECT_EQ(resolution, 20000.F);
  char* description = nullptr;
  ASSERT_EQ(TIFFGetField(tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &description), 1);
  EXPECT_TRUE(std::string(description).ends_with("</OME>"));

  for (int shift = 0; shift <= 2; ++shift) {
    SCOPED_TRACE(shift);
    if (shift > 0) {
      ASSERT_EQ(TIFFSetSubDirectory(tiff.get(), places[static_cast<std::size_t>(shift - 1)]), 1);
    }
    std::uint32_t width = 0, height = 0;
    const auto pixels = read_directory(tiff.get(), width, height);
    ASSERT_EQ(width, (1300U + (1U << shift) - 1) >> shift);
    ASSERT_EQ(height, (1100U + (1U << shift) - 1) >> shift);
    std::size_t wrong = 0, set = 0;
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        wrong += pixels[y * width + x] != expected[(y << shift) * 1300 + (x << shift)];
        set += pixels[y * width + x] != 0;
      }
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(set, 1000U);
  }
}

TEST_F(ExportImagesTest, ImagesDoNotDependOnTheThreadsThatMakeThem) {
  const ResultStore store = make(testing::info(1300, 1100), 4, 3, 320);
  const auto slide = open_slide("synthetic:1300x1100,seed=3");
  ExportOptions options;
  for (const int threads : {1, 5}) {
    options.threads = std::make_shared<ThreadBudget>(threads);
    export_labels(store, folder / fmt::format("labels{}", threads), options);
    export_overlay(store, *slide, folder / fmt::format("overlay{}", threads), 8192, options);
  }
  EXPECT_EQ(testing::bytes_of(folder / "labels1"), testing::bytes_of(folder / "labels5"));
  EXPECT_EQ(testing::bytes_of(folder / "overlay1"), testing::bytes_of(folder / "overlay5"));
}

TEST_F(ExportImagesTest, ASmallSlideHasOneLevelAndAnUnknownResolutionNoTag) {
  RunInfo info = testing::info(1, 1);
  info.mpp = 0;
  ResultStore store = ResultStore::create(file, testing::key(), info);
  export_labels(store, folder / "labels.tif");
  std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpen((folder / "labels.tif").c_str(), "r"), TIFFClose);
  ASSERT_NE(tiff, nullptr);
  std::uint32_t width = 0, height = 0;
  EXPECT_EQ(read_directory(tiff.get(), width, height), std::vector<std::uint32_t>{0});
  std::uint16_t count = 0;
  toff_t* offsets = nullptr;
  float resolution = 0;
  EXPECT_EQ(TIFFGetField(tiff.get(), TIFFTAG_SUBIFD, &count, &offsets), 0);
  EXPECT_EQ(TIFFGetField(tiff.get(), TIFFTAG_XRESOLUTION, &resolution), 0);
}

/// Whether the pixel is the colour of the outlines: no synthetic tissue is greener.
bool is_outline(Rgb pixel) { return pixel.g > 200 && pixel.r < 100 && pixel.b < 100; }

struct Picture {
  std::unique_ptr<Slide> slide;
  int width, height;
  std::vector<Rgb> pixels;
  explicit Picture(const std::filesystem::path& path) : slide(open_slide(path.string())) {
    width = static_cast<int>(slide->info().width());
    height = static_cast<int>(slide->info().height());
    pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    slide->read(0, 0, 0, View<Rgb>{pixels.data(), width, height, width});
  }
  Rgb at(std::int64_t x, std::int64_t y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

TEST_F(ExportImagesTest, TheOverlayIsTheSlideWithTheEdgesOfTheNuclei) {
  RunInfo info = testing::info(600, 480);
  info.scale = 1;
  info.roi_x = 100, info.roi_y = 60, info.roi_width = 400, info.roi_height = 300;
  const ResultStore store = make(info, 3, 3, 150);
  const auto slide = open_slide("synthetic:600x480,seed=3");
  export_overlay(store, *slide, folder / "overlay.png");

  const Picture picture(folder / "overlay.png");
  ASSERT_EQ(picture.width, 400);
  ASSERT_EQ(picture.height, 300);
  std::vector<Rgb> original(400 * 300);
  slide->read(0, 100, 60, View<Rgb>{original.data(), 400, 300, 400});
  const auto labels = painted(store);
  const auto label = [&](std::int64_t x, std::int64_t y) { return labels[static_cast<std::size_t>(y * 600 + x)]; };
  std::size_t wrong = 0, edges = 0;
  for (std::int64_t y = 0; y < 300; ++y)
    for (std::int64_t x = 0; x < 400; ++x) {
      const std::int64_t gx = x + 100, gy = y + 60;
      const std::uint32_t own = label(gx, gy);
      const bool edge = own != 0 && (label(gx - 1, gy) != own || label(gx + 1, gy) != own || label(gx, gy - 1) != own ||
                                     label(gx, gy + 1) != own);
      edges += edge;
      const Rgb pixel = picture.at(x, y);
      wrong += edge ? !is_outline(pixel) : pixel != original[static_cast<std::size_t>(y * 400 + x)];
    }
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(edges, 1000U);
}

TEST_F(ExportImagesTest, AFullPlaceIsReportedAndLeavesNoHalfPicture) {
  RunInfo info = testing::info(600, 480);
  info.scale = 1;
  const ResultStore store = make(info, 1, 1, 150);
  const auto slide = open_slide("synthetic:600x480,seed=3");
  const auto path = folder / "overlay.png";
  EXPECT_TRUE(testing::says(testing::failure_in_child([&] {
                              ::signal(SIGXFSZ, SIG_IGN);
                              const rlimit limit{10000, 10000};
                              ::setrlimit(RLIMIT_FSIZE, &limit);
                              export_overlay(store, *slide, path);
                            }),
                            "4: " + path.string(), {"File too large", "free some space"}));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(testing::parts_in(folder), 0);
}

TEST_F(ExportImagesTest, ANucleusThatLeavesTheSlideIsReportedAsDamage) {
  ResultStore store = make(testing::info(), 1, 1, 60);
  auto tile = testing::tiles(1, 1, 60, 17)[0];
  tile.nuclei.resize(1);
  for (Point& point : tile.nuclei[0].contour) point.x += 200;
  TileStore(store).commit_tile(tile.record, tile.nuclei);
  EXPECT_TRUE(testing::says(testing::failure([&] {
                              testing::accept_owned(store);
                              export_labels(store, folder / "labels.tif");
                            }),
                            "5: ", {"damaged"}));
}

TEST_F(ExportImagesTest, AReducedOverlayKeepsOutlinesInPlace) {
  RunInfo info = testing::info(600, 480);
  info.scale = 1;
  const ResultStore store = make(info, 3, 3, 150);
  const auto slide = open_slide("synthetic:600x480,seed=3");
  export_overlay(store, *slide, folder / "overlay.png", 200);
  const Picture picture(folder / "overlay.png");
  EXPECT_EQ(picture.width, 200);
  EXPECT_EQ(picture.height, 160);
  std::size_t outside = 0, drawn = 0;
  const auto labels = painted(store);
  for (std::int64_t y = 0; y < 160; ++y)
    for (std::int64_t x = 0; x < 200; ++x) {
      if (!is_outline(picture.at(x, y))) continue;
      ++drawn;
      bool any = false;
      for (std::int64_t gy = 3 * y; gy < 3 * y + 3; ++gy)
        for (std::int64_t gx = 3 * x; gx < 3 * x + 3; ++gx)
          any = any || labels[static_cast<std::size_t>(gy * 600 + gx)] != 0;
      outside += !any;
    }
  EXPECT_GT(drawn, 1000U);
  EXPECT_EQ(outside, 0U);
  EXPECT_TRUE(testing::says(testing::failure([&] { export_overlay(store, *slide, folder / "o", 0); }), "2: "));
}

TEST_F(ExportImagesTest, AnOverlayIsLargerWhereTheSlideCannotBeReducedSoFar) {
  RunInfo info = testing::info(600, 480);
  info.scale = 1;
  const auto slide = open_slide("synthetic:600x480,seed=3");
  export_overlay(make(info, 3, 3, 150), *slide, folder / "overlay.png", 5);
  const Picture picture(folder / "overlay.png");
  EXPECT_EQ(picture.width, 9);  // a 64th
  EXPECT_EQ(picture.height, 8);
}

}  // namespace
}  // namespace starpath::io
