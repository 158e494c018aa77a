// Where temporary folders are made.
#include "base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace starpath {
namespace {

TEST(TemporaryFolderDeathTest, AMissingPlaceIsNamed) {
  const auto make = [] {  // in a process of its own: the environment is changed
    setenv("TMPDIR", "/proc/nonexistent", 1);
    try {
      const TemporaryFolder folder;
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::exit(static_cast<int>(error.kind()));
    }
  };
  EXPECT_EXIT(make(), testing::ExitedWithCode(4),
              "^TMPDIR=/proc/nonexistent: is no folder .*; set TMPDIR to one, or unset it");
}

}  // namespace
}  // namespace starpath
