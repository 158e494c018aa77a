// Files that a command reads are none that it writes over.
#include "base/input_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/atomic_file.hpp"
#include "base/output_file.hpp"
#include "base/temporary_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string read(const fs::path& file) {
  std::string text;
  std::getline(std::ifstream(file), text);
  return text;
}

TEST(InputFilesTest, NoOutputReplacesOne) {
  InputFiles inputs;
  const TemporaryFolder folder;
  const fs::path input = folder.path() / "input", hard = folder.path() / "hard", free = folder.path() / "free";
  write(input, "precious");
  write(free, "old");
  fs::create_hard_link(input, hard);
  note_input(input);
  for (const fs::path& name : {input, hard, folder.path() / "." / "input"}) {
    EXPECT_TRUE(is_input(name));
    EXPECT_THROW(AtomicFile file(name), WriteError) << name;
    EXPECT_THROW(open_in_place(name), WriteError) << name;
    EXPECT_EQ(read(name), "precious");
  }
  AtomicFile file(free);
  file.write("new");
  file.commit();
  EXPECT_EQ(read(free), "new");
}

TEST(InputFilesTest, OneThatIsGoneForbidsNothing) {
  InputFiles inputs;
  const TemporaryFolder folder;
  const fs::path input = folder.path() / "input", other = folder.path() / "other";
  write(input, "precious");
  note_input(input);
  fs::rename(input, other);  // keeps its number, as a new file may that gets it
  EXPECT_FALSE(is_input(other));
  EXPECT_FALSE(is_input(input));
}

TEST(InputFilesTest, EndWithTheirOwner) {
  const TemporaryFolder folder;
  const fs::path input = folder.path() / "input";
  write(input, "text");
  {
    InputFiles inputs;
    EXPECT_THROW(InputFiles(), std::logic_error);
    note_input(input);
    EXPECT_TRUE(is_input(input));
  }
  note_input(input);
  EXPECT_FALSE(is_input(input));
  InputFiles next;
  EXPECT_FALSE(is_input(input));
}

TEST(InputFilesTest, WhatIsNoFileIsPassedOver) {
  InputFiles inputs;
  for (const char* name : {"", "/dev/null", "/nowhere/at/all", "synthetic:300x300"}) {
    note_input(name);
    EXPECT_FALSE(is_input(name)) << name;
  }
}

}  // namespace
}  // namespace starpath
