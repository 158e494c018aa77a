// Regions from masks: which points they hold, and what is refused.
#include "io/masks/mask_region.hpp"

#include <gtest/gtest.h>
#include <png.h>
#include <tiffio.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "tests/io/mask_files.hpp"

namespace starpath::io {
namespace {

class MaskRegion : public ::testing::Test {
 protected:
  std::string refusal(double width, double height) const {
    try {
      read_mask(file_, width, height);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }
  const TemporaryFolder folder_;
  const std::string file_ = (folder_.path() / "tissue.png").string();
};

TEST_F(MaskRegion, HoldsThePointsOfWhitePixels) {
  // A frame, a single pixel in it, two pixels that touch across a corner.
  const auto inside = [](int x, int y) {
    const bool frame = x >= 2 && x < 12 && y >= 2 && y < 10 && !(x >= 4 && x < 10 && y >= 4 && y < 8);
    return frame || (x == 6 && y == 5) || (x == 14 && y == 12) || (x == 15 && y == 13);
  };
  starpath::test::write_mask(file_, 20, 16, inside);
  const Region region = read_mask(file_, 200, 160);
  EXPECT_EQ(region.name, "tissue");
  const PolygonIndex index(region.polygons);
  double pixels = 0;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 20; ++x) {
      EXPECT_EQ(index.contains(10 * x + 5, 10 * y + 5), inside(x, y)) << x << " " << y;
      EXPECT_EQ(index.contains(10 * x + 0.5, 10 * y + 9.5), inside(x, y)) << x << " " << y;
      pixels += inside(x, y);
    }
  double all = 0;
  for (const Polygon& polygon : region.polygons) all += area(polygon);
  EXPECT_EQ(all, 100 * pixels);
}

TEST_F(MaskRegion, IsLaidOverTheWholeSlide) {
  starpath::test::write_mask(file_, 33, 25, [](int x, int) { return x == 32; });
  const Region region = read_mask(file_, 1000, 750);  // a pixel is 30.3 x 30
  ASSERT_EQ(region.polygons.size(), 1u);
  const Box box = bounds(region.polygons[0]);
  EXPECT_NEAR(box.x0, 32.0 / 33 * 1000, 1e-9);
  EXPECT_EQ(box.x1, 1000);
  EXPECT_EQ(box.y1, 750);
}

TEST_F(MaskRegion, WhatIsNoMaskOfTheSlideIsRefused) {
  EXPECT_NE(refusal(100, 100), "");
  starpath::test::write_mask(file_, 40, 20, [](int, int) { return false; });
  EXPECT_NE(refusal(400, 200).find("without a white pixel (the brightest is 0 of 255)"), std::string::npos);
  EXPECT_NE(refusal(400, 400).find("40x20 px has another shape than the slide"), std::string::npos);
}

/// Four pixels in a row: white, white that is clear, white that is just more and just less than half opaque.
const std::vector<std::uint8_t> kClearing = {255, 255, 255, 255, 255, 255, 255, 0,
                                             255, 255, 255, 128, 255, 255, 255, 127};

void expect_what_is_opaque(const std::string& file) {
  const PolygonIndex index(read_mask(file, 40, 10).polygons);
  const bool inside[] = {true, false, true, false};
  for (int x = 0; x < 4; ++x) EXPECT_EQ(index.contains(10 * x + 5, 5), inside[x]) << file << " " << x;
}

TEST_F(MaskRegion, WhatIsTransparentIsOutside) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 4;
  image.height = 1;
  image.format = PNG_FORMAT_RGBA;
  ASSERT_TRUE(png_image_write_to_file(&image, file_.c_str(), 0, kClearing.data(), 0, nullptr)) << image.message;
  expect_what_is_opaque(file_);
}

TEST_F(MaskRegion, WhatIsTransparentIsOutsideOfATiffToo) {
  const std::string file = (folder_.path() / "mask.tif").string();
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 4);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
  std::vector<std::uint8_t> row = kClearing;
  TIFFWriteScanline(tiff, row.data(), 0, 0);
  TIFFClose(tiff);
  expect_what_is_opaque(file);
}

/// Its pixels are damaged. Decoding them gives an error.
TEST_F(MaskRegion, ALargeOneIsRefusedBeforeItIsDecoded) {
  constexpr int side = 8192;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = image.height = side;
  image.format = PNG_FORMAT_GRAY;
  {
    const std::vector<std::uint8_t> black(std::size_t{side} * side);
    ASSERT_TRUE(png_image_write_to_file(&image, file_.c_str(), 0, black.data(), 0, nullptr)) << image.message;
  }
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file_) / 2));
  file << "damage";
  file.close();
  EXPECT_NE(refusal(side, side).find("a mask of 8192x8192 px has more than 33554432 px; reduce it"), std::string::npos)
      << refusal(side, side);
}

}  // namespace
}  // namespace starpath::io
