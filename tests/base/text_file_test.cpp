// Text that cannot be written says why.
#include "base/text_file.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/temporary_folder.hpp"

namespace starpath {
namespace {

std::string error_of_text(const std::filesystem::path& path, const std::string& text) {
  try {
    write_text(path, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::output);
    return error.what();
  }
  return "none";
}

TEST(TextFile, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "no/file").string();
  EXPECT_EQ(error_of_text(file, "text"),
            file + ": cannot be written (No such file or directory); make the folder first or choose another one");
  const std::string full =
      "/dev/full: cannot be written (No space left on device); "
      "free some space or choose another folder";
  EXPECT_EQ(error_of_text("/dev/full", "text"), full);
  EXPECT_EQ(error_of_text("/dev/full", std::string(1 << 20, 'x')), full);
  EXPECT_EQ(error_of_text(folder.path() / "file", "text"), "none");
}

}  // namespace
}  // namespace starpath
