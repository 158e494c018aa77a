// The exception of all our code.
#include "base/error.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

TEST(Error, IsOneLineWhateverItQuotes) {
  const Error error(ErrorKind::mismatch, "another slide (fingerprint \r\n\x1b[2Jf00d\x7f, d\xc3\xa9)");
  EXPECT_STREQ(error.what(), "another slide (fingerprint    [2Jf00d , d\xc3\xa9)");
  EXPECT_EQ(error.kind(), ErrorKind::mismatch);
}

}  // namespace
}  // namespace starpath
