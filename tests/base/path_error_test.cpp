// What std::filesystem could not do, as one of our errors.
#include "base/path_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace starpath {
namespace {

using std::filesystem::filesystem_error;

std::string told(const filesystem_error& error, ErrorKind kind) {
  const Error made = path_error(error);
  EXPECT_EQ(made.kind(), kind);
  return made.what();
}

std::error_code code_of(int error) { return {error, std::generic_category()}; }

TEST(PathError, IsOfTheInputUnlessTheFileSystemTakesNothing) {
  const std::string longest(300, 'n');
  try {
    static_cast<void>(std::filesystem::exists(longest));
    ADD_FAILURE() << "there is a name so long";
  } catch (const filesystem_error& error) {
    EXPECT_EQ(told(error, ErrorKind::input), longest + ": cannot be read (File name too long); check the path");
  }
  EXPECT_EQ(told(filesystem_error("x", code_of(ENOENT)), ErrorKind::input),
            ".: cannot be read (No such file or directory); check the path");
  EXPECT_EQ(told(filesystem_error("x", "out", code_of(ENOSPC)), ErrorKind::output),
            "out: cannot be written (No space left on device); free some space or choose another folder");
}

}  // namespace
}  // namespace starpath
