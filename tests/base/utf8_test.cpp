// What is UTF-8, and where it is cut.
#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace starpath {
namespace {

TEST(Utf8, IsToldFromOtherBytes) {
  for (const char* text :
       {"", "plain", "M\xc3\xbcller", "\xe2\x82\xac", "\xed\x9f\xbf", "\xf0\x9f\x94\xac", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"M\xfcller", "\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff\xfe", "\xe2\x82"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Utf8, IsCutBetweenCharacters) {
  const std::string text = "a\xc3\xbc\xe2\x82\xac";
  EXPECT_EQ(utf8_start(text, 9), text);
  EXPECT_EQ(utf8_start(text, 6), text);
  for (const std::size_t bytes : {3, 4, 5}) EXPECT_EQ(utf8_start(text, bytes), "a\xc3\xbc");
  EXPECT_EQ(utf8_start(text, 2), "a");
  EXPECT_EQ(utf8_start(text, 0), "");
}

}  // namespace
}  // namespace starpath
