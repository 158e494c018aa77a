// Aperio's slides: the pixels that are decoded from the file's tiles are those of OpenSlide.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/slides/slide_backend.hpp"
#include "tests/io/tiff_files.hpp"
#include "tests/support/real_slide.hpp"

namespace starpath::io::test {
namespace {

/// Smooth, as JPEG expects it, and nowhere two rows or columns alike.
Picture tissue(int width, int height) {
  Picture picture(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      picture.at(x, y) = {static_cast<std::uint8_t>(150 + (x * 7 + y * 3) % 97),
                          static_cast<std::uint8_t>(60 + x % 131), static_cast<std::uint8_t>(90 + (x * y) % 113)};
  return picture;
}

struct Kind {
  const char* name;
  std::uint16_t compression, photometric;
  std::uint16_t subsampling = 1;
};

std::string aperio_file(const TempFolder& folder, const Kind& kind, const std::vector<Picture>& levels) {
  const std::string path = folder / (std::string(kind.name) + ".svs");
  TiffOptions options{.tile = 64, .compression = kind.compression, .photometric = kind.photometric};
  options.more = [&](TIFF* tiff) {
    if (kind.photometric == PHOTOMETRIC_YCBCR)
      TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, kind.subsampling, kind.subsampling);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "Aperio Image Library v11.2.1\r\n300x200 |AppMag = 20|MPP = 0.5");
  };
  std::vector<TiffPage> pages;
  for (const Picture& level : levels) pages.push_back(rgb_page(level));
  write_tiff(path, pages, options);
  return path;
}

InputProbe probe_of(const std::string& path) { return {.input = path, .head = read_bytes(path).substr(0, 64)}; }

void expect_openslides_pixels(const std::string& path, const char* name) {
  const auto ours = open_slide(path), openslides = kOpenslideBackend.open(probe_of(path));
  EXPECT_TRUE(kAperioBackend.recognises(probe_of(path))) << name;
  EXPECT_EQ(ours->info().format, "aperio") << name;
  EXPECT_EQ(ours->info().mpp, openslides->info().mpp) << name;
  EXPECT_EQ(ours->info().fingerprint, openslides->info().fingerprint) << name;
  ASSERT_EQ(ours->info().levels.size(), openslides->info().levels.size()) << name;
  for (int level = 0; level < static_cast<int>(ours->info().levels.size()); ++level) {
    EXPECT_EQ(read_all(*ours, level), read_all(*openslides, level)) << name << ", level " << level;
    EXPECT_EQ(read(*ours, level, -9, 31, 90, 70), read(*openslides, level, -9, 31, 90, 70)) << name;
  }
}

TEST(AperioSlide, JpegHasOpenSlidesPixels) {
  const TempFolder folder;
  for (const Kind& kind :
       {Kind{"jpeg_420", COMPRESSION_JPEG, PHOTOMETRIC_YCBCR, 2}, Kind{"jpeg_444", COMPRESSION_JPEG, PHOTOMETRIC_YCBCR},
        Kind{"jpeg_rgb", COMPRESSION_JPEG, PHOTOMETRIC_RGB}})
    expect_openslides_pixels(aperio_file(folder, kind, {tissue(300, 200), tissue(75, 50)}), kind.name);
}

// OpenSlide 3.4.1 shows the second level of such a file too bright.
TEST(AperioSlide, WithoutLossItHasThePixelsThatWereWritten) {
  const TempFolder folder;
  const Picture picture = tissue(300, 200), small = tissue(75, 50);
  for (const Kind& kind :
       {Kind{"lzw", COMPRESSION_LZW, PHOTOMETRIC_RGB}, Kind{"deflate", COMPRESSION_ADOBE_DEFLATE, PHOTOMETRIC_RGB}}) {
    const auto slide = open_slide(aperio_file(folder, kind, {picture, small}));
    EXPECT_EQ(read_all(*slide), picture) << kind.name;
    EXPECT_EQ(read_all(*slide, 1), small) << kind.name;
  }
}

TEST(AperioSlide, TheRealSlideHasOpenSlidesPixels) {
  if (!std::filesystem::exists(support::real_slide()))
    GTEST_SKIP() << support::real_slide() << " is not here; set STARPATH_DATA";
  expect_openslides_pixels(support::real_slide(), "the real slide");
}

// OpenSlide calls this level 4.0168 times smaller, reads its pixels between those that the file has, and interpolates.
TEST(AperioSlide, ALevelOfAnOddSizeHasTheFilesPixels) {
  const TempFolder folder;
  const Picture small = tissue(74, 50);
  const auto slide =
      open_slide(aperio_file(folder, {"odd", COMPRESSION_LZW, PHOTOMETRIC_RGB}, {tissue(300, 200), small}));
  EXPECT_NE(slide->info().levels.at(1).downsample, 4);
  EXPECT_EQ(read_all(*slide, 1), small);
  EXPECT_EQ(read(*slide, 1, 33, 7, 50, 50), crop(small, 33, 7, 50, 50));
}

TEST(AperioSlide, ADamagedTileCostsItsOwnPixels) {
  const TempFolder folder;
  const std::string path = aperio_file(folder, {"damaged", COMPRESSION_JPEG, PHOTOMETRIC_YCBCR}, {tissue(300, 200)});
  const Picture whole = read_all(*open_slide(path));
  damage_tile(path, 7);
  const auto slide = open_slide(path);
  Picture around = Picture(300, 200);
  const std::vector<Gap> gaps = slide->read_around_gaps(0, 0, 0, around.view());
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_NE(gaps[0].why.find("damaged.svs: cannot read level 0, region x=128 y=64"), std::string::npos) << gaps[0].why;
  Picture expected = whole;
  for (int y = 64; y < 128; ++y)
    for (int x = 128; x < 192; ++x) expected.at(x, y) = {255, 255, 255};
  EXPECT_EQ(around, expected);
}

TEST(AperioSlide, AMissingTileIsGround) {
  const TempFolder folder;
  const std::string path = folder / "sparse.svs";
  TiffOptions options{.tile = 64, .compression = COMPRESSION_LZW};
  options.more = [](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "Aperio Image Library v1\n128x64 |AppMag = 20|MPP = 0.5");
  };
  options.left_out = [](int, int tile) { return tile == 1; };
  const Picture picture = tissue(128, 64);
  write_tiff(path, {rgb_page(picture)}, options);
  EXPECT_EQ(read_all(*open_slide(path)), crop(crop(picture, 0, 0, 64, 64), 0, 0, 128, 64));
}

}  // namespace
}  // namespace starpath::io::test
