// Encodings of desktop programs.
#include "base/text_encoding.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

using std::string_literals::operator""s;

void expect(const std::string& bytes, const std::string& text, TextEncoding encoding) {
  const DecodedText decoded = decoded_text(bytes);
  EXPECT_EQ(decoded.text, text);
  EXPECT_EQ(decoded.encoding, encoding);
}

TEST(TextEncoding, Utf8StaysAndLosesItsMark) {
  expect("", "", TextEncoding::utf8);
  expect("a", "a", TextEncoding::utf8);
  expect("\xc3\xa9t\xc3\xa9", "\u00e9t\u00e9", TextEncoding::utf8);
  expect("\xef\xbb\xbf{}", "{}", TextEncoding::utf8);
}

TEST(TextEncoding, Utf16OfBothOrders) {
  expect("\xff\xfe\x41\0\xe9\0"s, "A\u00e9", TextEncoding::utf16);
  expect("\xfe\xff\0\x41\0\xe9"s, "A\u00e9", TextEncoding::utf16);
  expect("{\0}\0"s, "{}", TextEncoding::utf16);
  expect("\0{\0}"s, "{}", TextEncoding::utf16);
  expect("\xff\xfe\x75\x81\x3d\xd8\x2c\xdd", "\u8175\U0001f52c", TextEncoding::utf16);
}

TEST(TextEncoding, HalvesOfPairsAreReplaced) {
  expect("\xff\xfe\x3d\xd8\x41\0"s, "\ufffd\x41", TextEncoding::utf16);
  expect("\xff\xfe\x2c\xdd", "\ufffd", TextEncoding::utf16);
  expect("\xff\xfe\x41\0\x42"s, "A\ufffd", TextEncoding::utf16);
}

TEST(TextEncoding, TheRestIsLatin1AsWindowsHasIt) {
  expect("\xc9pi", "\u00c9pi", TextEncoding::latin1);
  expect("5 \xb5m", "5 \u00b5m", TextEncoding::latin1);
  expect("\x80 \x93quoted\x94 \x9f", "\u20ac \u201cquoted\u201d \u0178", TextEncoding::latin1);
}

}  // namespace
}  // namespace starpath
