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

TEST(SvgPath, IsFromTheCornerOfTheDrawing) {
  std::string path;
  append_svg_path({{10, 20}, {12, 20}, {12, 21}, {10, 21}}, 10, 10, path);
  EXPECT_EQ(path, "M0 10h2v1h-2z");
}

}  // namespace
}  // namespace starpath::io
