// JPEG images as slides.
#include <turbojpeg.h>

#include "slide_files.hpp"

namespace starpath::io::test {
namespace {

std::string jpeg_of(const Picture& picture) {
  tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, &picture.pixels[0].r, picture.width, 0, picture.height, TJPF_RGB, &bytes, &size,
                        TJSAMP_444, 95, 0),
            0);
  const std::string text(reinterpret_cast<char*>(bytes), size);
  tjFree(bytes);
  tjDestroy(encoder);
  return text;
}

TEST(JpegSlide, ReadsRegionsAcrossBorders) {
  const TempFolder folder;
  Picture picture(50, 40, {200, 100, 50});
  for (int y = 0; y < 40; ++y)
    for (int x = 25; x < 50; ++x) picture.at(x, y) = {20, 60, 220};
  write_bytes(folder / "a.jpg", jpeg_of(picture));
  const auto slide = open_slide(folder / "a.jpg");
  EXPECT_EQ(slide->info().format, "jpeg");
  const Picture whole = read_all(*slide);
  ASSERT_EQ(whole.width, 50);
  ASSERT_EQ(whole.height, 40);
  for (std::size_t i = 0; i < whole.pixels.size(); ++i) {
    ASSERT_NEAR(whole.pixels[i].r, picture.pixels[i].r, 12) << i;
    ASSERT_NEAR(whole.pixels[i].b, picture.pixels[i].b, 12) << i;
  }
  EXPECT_EQ(read(*slide, 0, -3, 30, 60, 20), crop(whole, -3, 30, 60, 20));
}

TEST(JpegSlide, SaysItsResolutionInItsDensity) {
  const TempFolder folder;
  std::string bytes = jpeg_of(pattern(16, 16));
  ASSERT_EQ(bytes.substr(6, 4), "JFIF");
  const auto info_of = [&](int unit, const std::string& x, const std::string& y) {
    bytes[13] = static_cast<char>(unit);
    bytes.replace(14, 4, x + y);
    write_bytes(folder / "a.jpg", bytes);
    return open_slide(folder / "a.jpg")->info();
  };
  const std::string twenty_thousand = "\x4e\x20", ten_thousand = "\x27\x10", seventy_two("\0\x48", 2);
  EXPECT_EQ(info_of(2, twenty_thousand, twenty_thousand).mpp, 0.5);
  EXPECT_EQ(info_of(1, twenty_thousand, twenty_thousand).mpp, 1.27);
  EXPECT_TRUE(info_of(2, twenty_thousand, ten_thousand).oblong);
  EXPECT_EQ(info_of(0, twenty_thousand, ten_thousand).mpp, 0);
  EXPECT_EQ(info_of(0, twenty_thousand, ten_thousand).mpp_doubt, "") << "a ratio";
  EXPECT_NE(info_of(1, seventy_two, seventy_two).mpp_doubt.find("72 pixels an inch"), std::string::npos);
}

TEST(JpegSlide, OnePixelIsASlide) {
  const TempFolder folder;
  write_bytes(folder / "a.jpeg", jpeg_of(Picture(1, 1, {128, 128, 128})));
  EXPECT_NEAR(read_all(*open_slide(folder / "a.jpeg")).pixels.at(0).g, 128, 2);
}

TEST(JpegSlide, EveryTruncationIsOneClearError) {
  const TempFolder folder;
  const std::string bytes = jpeg_of(pattern(48, 48));
  for (std::size_t size = 3; size + 2 < bytes.size(); size += 101) {
    write_bytes(folder / "cut.jpg", bytes.substr(0, size));
    const std::string message = open_error(folder / "cut.jpg");
    EXPECT_NE(message.find("cut.jpg: JPEG cannot be"), std::string::npos) << size << ": " << message;
  }
}

/// A white progressive JPEG, and where its last scan begins and ends.
struct Progressive {
  std::string bytes;
  std::size_t last_scan;
  std::size_t end() const { return bytes.size() - 2; }  // the marker that ends the image
};

Progressive progressive_of(int side) {
  const Picture picture(side, side, {255, 255, 255});
  tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, &picture.pixels[0].r, side, 0, side, TJPF_RGB, &bytes, &size, TJSAMP_444, 95,
                        TJFLAG_PROGRESSIVE),
            0);
  Progressive made{{reinterpret_cast<char*>(bytes), size}, 0};
  made.last_scan = made.bytes.rfind("\xff\xda");
  tjFree(bytes);
  tjDestroy(encoder);
  return made;
}

TEST(JpegSlide, ScansThatSayNothingAreNotWorkedThrough) {
  const TempFolder folder;
  const Progressive usual = progressive_of(2048);
  write_bytes(folder / "usual.jpg", usual.bytes);
  EXPECT_EQ(read_all(*open_slide(folder / "usual.jpg")).at(2047, 2047), (Rgb{255, 255, 255}));
  const std::string scan = usual.bytes.substr(usual.last_scan, usual.end() - usual.last_scan);
  std::string bomb = usual.bytes.substr(0, usual.end());
  for (int i = 0; i < 2100; ++i) bomb += scan;  // some minutes of work
  write_bytes(folder / "bomb.jpg", bomb + usual.bytes.substr(usual.end()));
  EXPECT_NE(open_error(folder / "bomb.jpg").find("scans of 2048 x 2048 pixels, more work"), std::string::npos);
}

TEST(JpegSlide, AHeaderThatClaimsMoreThanTheFileHoldsTakesNoMemory) {
  const TempFolder folder;
  std::string bytes = jpeg_of(pattern(8, 8));
  const std::size_t frame = bytes.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  bytes.replace(frame + 5, 4, "\x7f\xff\xff\xdc");  // 32767 rows of 65500 pixels
  write_bytes(folder / "claim.jpg", bytes);
  EXPECT_NE(open_error(folder / "claim.jpg").find("claims 65500 x 32767 pixels, more than"), std::string::npos);
}

TEST(JpegSlide, AnImageWithoutPixelsIsAnError) {
  const TempFolder folder;
  std::string bytes = jpeg_of(pattern(8, 8));
  const std::size_t frame = bytes.find(std::string("\xff\xc0", 2));
  ASSERT_NE(frame, std::string::npos);
  bytes[frame + 7] = bytes[frame + 8] = 0;  // width
  write_bytes(folder / "a.jpg", bytes);
  EXPECT_NE(open_error(folder / "a.jpg").find("a.jpg: "), std::string::npos);
}

}  // namespace
}  // namespace starpath::io::test
