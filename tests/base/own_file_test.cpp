// A file may be replaced where nothing is lost, or where the file says itself that Starpath wrote it.
#include "base/own_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/temporary_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

constexpr OutputKind kLetter{"starpath write", [](const fs::path& file) { return first_bytes(file, 4) == "Dear"; }};

TEST(OwnFile, OnlyItsOwnKindAndWhatLosesNothingIsReplaced) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    return folder.path() / name;
  };
  check_may_replace(folder.path() / "nothing", kLetter);
  check_may_replace(file("empty", ""), kLetter);
  check_may_replace(file("letter", "Dear reader"), kLetter);
  check_may_replace("/dev/null", kLetter);
  EXPECT_TRUE(is_own_file(folder.path() / "letter", kLetter));
  fs::create_symlink(folder.path() / "letter", folder.path() / "link");
  EXPECT_FALSE(is_own_file(folder.path() / "link", kLetter));
  const fs::path diary = file("diary", "Monday");
  for (const fs::path& kept : {diary, folder.path()}) try {
      check_may_replace(kept, kLetter, "move it");
      FAIL() << kept;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::output);
      const std::string reason = kept == diary ? ": is no file that `starpath write` wrote; " : ": is a folder; ";
      EXPECT_EQ(error.what(), kept.string() + reason + "move it");
    }
}

TEST(OwnFile, WhatCannotBeReadSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "letter";
  std::ofstream(file) << "Dear reader";
  fs::permissions(file, fs::perms::owner_write);
  EXPECT_EQ(obstacle_to_replacing(file, kLetter), "cannot be read (Permission denied)");
}

TEST(OwnFile, PagesAreKnownByTheirFirstComment) {
  const TemporaryFolder folder;
  const auto is_page = [&](const std::string& text) {
    std::ofstream(folder.path() / "page.html") << text;
    return is_page_of(folder.path() / "page.html", "starpath report");
  };
  EXPECT_TRUE(is_page("<!DOCTYPE html>\n<!-- The page of `starpath report`. -->\n<html>"));
  EXPECT_FALSE(is_page("<!DOCTYPE html>\n<!-- The page of `starpath preview`. -->\n<html>"));
  EXPECT_FALSE(is_page("<!DOCTYPE html>\n<!-- The page -->\n<html>on the page of `starpath report`."));
}

TEST(OwnFile, DatabasesAreKnownByTheNumberInTheirHeader) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "a.sqlite";
  Database(path, Database::Open::create).execute("PRAGMA application_id = 77; CREATE TABLE t (x)");
  EXPECT_TRUE(is_database_of(path, 77));
  EXPECT_FALSE(is_database_of(path, 78));
  fs::resize_file(path, 70);
  EXPECT_FALSE(is_database_of(path, 77));
}

}  // namespace
}  // namespace starpath
