// Words of libraries, and what is to be done.
#include "io/slides/trouble.hpp"

#include <gtest/gtest.h>

namespace starpath::io {
namespace {

bool advises(std::string_view message, std::string_view word) {
  return advice_on(message).find(word) != std::string_view::npos;
}

TEST(Trouble, AnotherCopyIsForDamagedBytes) {
  for (const char* damaged :
       {"Cannot read raw tile", "Bogus marker length", "Premature end of JPEG file", "", "IDAT: CRC error",
        "Unsupported marker type 0x3f", "ZIPDecode:Decoding error at scanline 0"})
    EXPECT_TRUE(advises(damaged, "download it again")) << damaged;
  for (const char* other :
       {"Unsupported TIFF compression: 34712", "Couldn't open a/Index.dat: No such file or directory",
        "Bad direction attribute \"LEFT\"", "Unsupported JPEG data precision 12",
        "Sorry, arithmetic coding is not implemented", "Couldn't open a.svs: Too many open files",
        "Couldn't read TIFF value: Input/output error", "a.tif: Permission denied"})
    EXPECT_FALSE(advises(other, "download")) << other;
}

TEST(Trouble, SaysWhatHelps) {
  EXPECT_TRUE(advises("Unsupported TIFF compression: 34712", "convert it"));
  EXPECT_TRUE(advises("Can't load Slidedat.ini file: Couldn't open x: No such file or directory",
                      "copy all files and folders"));
  EXPECT_TRUE(advises("Can't open JPEG 3: ", "copy all files and folders"));
  EXPECT_TRUE(advises("Bad direction attribute \"LEFT\"", "DP 200"));
  EXPECT_TRUE(advises("Cannot allocate memory", "memory"));
}

TEST(Trouble, CompressionsHaveNames) {
  EXPECT_EQ(compression_name(34712), "JPEG 2000");
  EXPECT_EQ(compression_name(50001), "WebP");
  EXPECT_EQ(compression_name(22610), "JPEG XR");
  EXPECT_EQ(compression_name(12345), "number 12345");
  EXPECT_EQ(explained("x: Unsupported TIFF compression: 33005"), "x: Unsupported TIFF compression: 33005 (JPEG 2000)");
  EXPECT_EQ(explained("Unsupported TIFF compression: 22610 in level 2"),
            "Unsupported TIFF compression: 22610 (JPEG XR) in level 2");
  EXPECT_EQ(explained("Cannot read raw tile"), "Cannot read raw tile");
}

}  // namespace
}  // namespace starpath::io
