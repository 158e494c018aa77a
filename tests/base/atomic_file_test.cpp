// Outputs: whole or not at all, never through a link, never in place of a device or a pipe.
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>

#include "base/output_file.hpp"
#include "base/temporary_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::string text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void put_in_place(const fs::path& path, const std::string& text) {
  const int file = open_in_place(path);
  EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(file);
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const WriteError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::output);
    return error.reason();
  }
  return "none";
}

class AtomicFileTest : public testing::Test {
 protected:
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder.path()), {}); }

  const TemporaryFolder folder;
  const fs::path file = folder.path() / "out.json";
};

TEST_F(AtomicFileTest, ReplacesAFileAtTheEndOnly) {
  std::ofstream(file) << "older";
  {
    AtomicFile given_up(file);
    given_up.write("half");
    EXPECT_EQ(text(file), "older");
  }
  EXPECT_EQ(files(), 1);
  put(file, "newer");
  EXPECT_EQ(text(file), "newer");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, TwoAtOnceAreBothWhole) {
  AtomicFile first(file), second(file);
  first.write("first");
  second.write("the second");
  first.commit();
  EXPECT_EQ(text(file), "first");
  second.commit();
  EXPECT_EQ(text(file), "the second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, WhatAKilledProgramLeftGoesWithTheNextOne) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile killed(file);
    killed.write("half");
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(files(), 1);
  EXPECT_FALSE(fs::exists(file));
  const fs::path users = folder.path() / "out.json.mine.part";
  std::ofstream(users) << "kept";
  const AtomicFile in_use(file);  // no program has been killed there
  put(file, "whole");
  EXPECT_EQ(text(file), "whole");
  EXPECT_EQ(files(), 3);
}

TEST_F(AtomicFileTest, TheOldTemporaryNameIsNotFollowed) {
  const fs::path precious = folder.path() / "precious";
  std::ofstream(precious) << "precious";
  fs::create_symlink(precious, file.string() + ".part");
  put(file, "new");
  EXPECT_EQ(text(precious), "precious");
  EXPECT_EQ(text(file), "new");
}

TEST_F(AtomicFileTest, LinksToFilesAreRefused) {
  const fs::path precious = folder.path() / "precious";
  for (const bool dangling : {true, false}) {
    if (!dangling) std::ofstream(precious) << "precious";
    fs::remove(file);
    fs::create_symlink(precious, file);
    EXPECT_EQ(refusal([&] { put(file, "new"); }), "is a symbolic link");
    EXPECT_EQ(refusal([&] { put_in_place(file, "new"); }), "is a symbolic link");
    EXPECT_TRUE(fs::is_symlink(file));
    EXPECT_EQ(fs::exists(precious), !dangling);
    EXPECT_EQ(text(precious), dangling ? "" : "precious");
  }
}

TEST_F(AtomicFileTest, FoldersAndMissingFoldersAreRefused) {
  EXPECT_EQ(refusal([&] { put(folder.path(), "x"); }), "Is a directory");
  EXPECT_EQ(refusal([&] { put_in_place(folder.path(), "x"); }), "Is a directory");
  EXPECT_EQ(refusal([&] { put(folder.path() / "none/x", "x"); }), "No such file or directory");
  EXPECT_EQ(refusal([&] { put_in_place(folder.path() / "none/x", "x"); }), "No such file or directory");
}

TEST_F(AtomicFileTest, WhatIsBeingWrittenInPlaceIsKept) {
  const int first = open_in_place(file);
  EXPECT_EQ(::write(first, "first", 5), 5);
  EXPECT_EQ(refusal([&] { put_in_place(file, "second"); }), "it is being written already");
  ::close(first);
  EXPECT_EQ(text(file), "first");
  put_in_place(file, "new");
  EXPECT_EQ(text(file), "new");
}

TEST_F(AtomicFileTest, DevicesAreWrittenThroughALinkToo) {
  fs::create_symlink("/dev/null", file);
  put(file, "gone");
  put_in_place(file, "gone");
  EXPECT_EQ(fs::read_symlink(file), "/dev/null");
  EXPECT_TRUE(fs::is_character_file(file));
  EXPECT_EQ(files(), 1);
  fs::remove(file);
  fs::create_symlink("/dev/full", file);
  EXPECT_EQ(refusal([&] { put(file, "x"); }), "No space left on device");
}

TEST_F(AtomicFileTest, PipesAreWrittenToTheirReader) {
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  for (const auto& write : {put, put_in_place}) {
    auto reader = std::async(std::launch::async, [&] { return text(file); });
    write(file, "for the reader");
    EXPECT_EQ(reader.get(), "for the reader");
    EXPECT_TRUE(fs::is_fifo(file));
  }
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, StandardOutputGoesOnWhereItStands) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int out = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    bool good = ::write(STDOUT_FILENO, "a", 1) == 1;
    put("/dev/stdout", "b");
    put_in_place("/dev/stdout", "c");
    good = good && ::write(STDOUT_FILENO, "d", 1) == 1;
    ::_exit(good ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text(file), "abcd");
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(AtomicFileTest, WhatIsUnfinishedGoesWhenASignalEndsTheProcess) {
  put(file, "before");
  AtomicFile one(file), other(folder.path() / "other.json");
  { AtomicFile given_up(file); }
  one.write("half");
  EXPECT_EQ(files(), 3);
  remove_unfinished_files();
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(text(file), "before");
  put(file, "after");
  remove_unfinished_files();
  EXPECT_EQ(text(file), "after");
}

}  // namespace
}  // namespace starpath
