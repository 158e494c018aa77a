// Files as they are, and why they cannot be read.
#include "base/read_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>

#include "base/temporary_folder.hpp"
#include "base/text_file.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ReadError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "none";
}

TEST(ReadFile, GivesEveryByte) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  const std::string text = std::string("a\0\r\n", 4) + std::string(200'000, 'x');
  write_text(file, text);
  EXPECT_EQ(read_file(file), text);
  EXPECT_EQ(read_file("/dev/null"), "");
  EXPECT_NE(read_file("/proc/self/status"), "") << "a file that says it has 0 bytes";
}

TEST(ReadFile, GivesWhatComesThroughAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text(200'000, 'y');
  std::thread writer([&] {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
  });
  EXPECT_EQ(read_rest(ends[0], "-"), text);
  writer.join();
  ::close(ends[0]);
}

TEST(ReadFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  const std::string place = folder.path().string(), none = place + "/none";
  EXPECT_EQ(error_of([&] { read_file(none); }), none + ": cannot be read (No such file or directory); check the path");
  EXPECT_EQ(error_of([&] { read_file(place, "give a file"); }),
            place + ": cannot be read (Is a directory); give a file");
  EXPECT_EQ(error_of([] { read_rest(-1, "-"); }), "-: cannot be read (Bad file descriptor); check the path");
}

}  // namespace
}  // namespace starpath
