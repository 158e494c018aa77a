// Pictures and outlines for pages.
#include "io/exports/picture.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.hpp"
#include "base/text_file.hpp"
#include "io/outlines/svg_path.hpp"
#include "io/slides/slide.hpp"
#include "support/images.hpp"

namespace starpath::io {
namespace {

using support::Image;

Image<Rgb> read_back(const std::string& bytes, const char* name, int width, int height) {
  const TemporaryFolder folder;
  write_text(folder.path() / name, bytes);
  Image<Rgb> out(width, height);
  open_slide((folder.path() / name).string())->read(0, 0, 0, out.view());
  return out;
}

TEST(Picture, APngHoldsEveryPixelAndNoPadding) {
  support::Rng rng(4);
  const auto picture = support::rgb_noise(rng, 7, 5, 3);
  const auto back = read_back(png_bytes(picture.view()), "a.png", 7, 5);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) EXPECT_EQ(back.at(x, y), picture.at(x, y));
}

TEST(Picture, AJpegIsNear) {
  const Image<Rgb> picture(16, 8, 3, Rgb{200, 100, 150});
  const auto back = read_back(jpeg_bytes(picture.view(), 95), "a.jpg", 16, 8);
  EXPECT_NEAR(back.at(3, 3).r, 200, 4);
  EXPECT_NEAR(back.at(3, 3).g, 100, 4);
}

TEST(Picture, DataUrisAreBase64) {
  EXPECT_EQ(data_uri("a/b", ""), "data:a/b;base64,");
  EXPECT_EQ(data_uri("a/b", "f"), "data:a/b;base64,Zg==");
  EXPECT_EQ(data_uri("a/b", "fo"), "data:a/b;base64,Zm8=");
  EXPECT_EQ(data_uri("a/b", "foo\xff"), "data:a/b;base64,Zm9v/w==");
}

TEST(SvgPath, OutlinesEveryPieceOnce) {
  const Image<std::int32_t> labels({{1, 1, 0, 2}, {0, 1, 0, 0}, {0, 0, 0, 1}});
  EXPECT_EQ(svg_outlines(labels.view()), "M0 0h2v2h-1v-1h-1zM3 0h1v1h-1zM3 2h1v1h-1z");
  std::string path;
  append_svg_path({{10, 20}, {12, 20}, {12, 21}, {10, 21}}, 10, 10, path);
  EXPECT_EQ(path, "M0 10h2v1h-2z");
}

}  // namespace
}  // namespace starpath::io
