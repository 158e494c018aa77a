// A damaged tile of a slide that OpenSlide reads is told in the words of the error alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/slides/slide_backend.hpp"
#include "tests/io/tiff_files.hpp"

namespace starpath::io::test {
namespace {

TEST(QuietLibtiff, OpenSlidesLibtiffWritesNoLines) {
  const TempFolder folder;
  const std::string path = folder / "slide.svs";
  TiffOptions options{.tile = 240, .compression = COMPRESSION_ADOBE_DEFLATE};
  options.more = [](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                 "Aperio Image Library v1\n240x240 [0,0 240x240] |AppMag = 20|MPP = 0.5");
  };
  write_tiff(path, {rgb_page(Picture(240, 240, {200, 100, 150}))}, options);
  damage_tile(path, 0);
  ::testing::internal::CaptureStderr();
  const InputProbe probe{.input = path, .head = read_bytes(path).substr(0, 64)};
  ASSERT_TRUE(kOpenslideBackend.recognises(probe));
  const auto slide = kOpenslideBackend.open(probe);
  std::vector<Rgb> pixels(240 * 240);
  EXPECT_EQ(slide->info().format, "aperio");
  EXPECT_THROW(slide->read(0, 0, 0, {pixels.data(), 240, 240, 240}), Error);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace starpath::io::test
