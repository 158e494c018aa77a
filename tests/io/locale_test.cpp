// Numbers in files are read the same in a locale with a decimal comma.
#include <clocale>
#include <cstdlib>

#include "io/slides/resolution.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

class DecimalComma : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string name = "de_DE.UTF-8";
    const std::string make = "localedef -i de_DE -f UTF-8 '" + (folder_ / name) + "' >/dev/null 2>&1";
    if (std::system(make.c_str()) != 0) GTEST_SKIP() << "localedef or the sources of locales are not installed";
    setenv("LOCPATH", (folder_ / "").c_str(), 1);
    ASSERT_NE(setlocale(LC_NUMERIC, name.c_str()), nullptr);
    unsetenv("LOCPATH");
    ASSERT_STREQ(localeconv()->decimal_point, ",");
  }
  void TearDown() override { setlocale(LC_NUMERIC, "C"); }

  const TempFolder folder_;
};

TEST_F(DecimalComma, DoesNotChangeTheResolutionOfASlide) {
  const std::string path = folder_ / "slide.svs";
  write_tiff(path, {rgb_page(pattern(40, 24))},
             {.tile = 16, .more = [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                             "Aperio Image Library v11.2.1\r\n40x24 |Filename|AppMag = 20|MPP = 0.4990");
              }});
  const SlideInfo info = open_slide(path)->info();
  EXPECT_EQ(info.format, "aperio");
  EXPECT_EQ(info.mpp, 0.499);
}

TEST_F(DecimalComma, DoesNotChangeThePowerOfAnObjective) {
  SlideInfo info;
  info.properties["aperio.AppMag"] = "2.5x";
  EXPECT_EQ(stated_resolution(info, 0).mpp, 4);
}

}  // namespace
}  // namespace starpath::io::test
