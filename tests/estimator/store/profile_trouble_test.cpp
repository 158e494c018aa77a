// Profiles that are damaged, foreign, newer, locked, read-only or on a full disk: one line, and the run goes on.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "estimator/store/profile_use.hpp"
#include "tests/estimator/store/profile_fixture.hpp"

namespace starpath {
namespace {

using test::group;
using Open = ProfileStore::Open;

class ProfileTrouble : public test::ProfileTest {
 protected:
  /// A run that loads, measures one task and saves. Returns how many groups it got.
  std::size_t run(bool adds = true) {
    lines.clear();
    ProfileUse use(file, adds, [&](const std::string& line) { lines.push_back(line); });
    const std::size_t got = use.load().size();
    use.meet("sharpen", {"width"}, {"implementation"});
    use.collect("sharpen", "cpu", test::entry(3, 1).features, 0.25);
    use.save();
    return got;
  }
  void expect_one_line(const std::string& part) const {
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find(file), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find(part), std::string::npos) << lines[0];
    EXPECT_EQ(lines[0].find('\n'), std::string::npos) << lines[0];
  }
  void make(std::size_t count = 2000) const {
    const std::vector<ProfileGroup> given = {group(count, 1, "a"), group(count, 1, "b")};
    ProfileStore(file, Open::create).append(given);
  }

  std::vector<std::string> lines;
};

TEST_F(ProfileTrouble, NoneYetIsNoTroubleForWhoeverAdds) {
  EXPECT_EQ(run(), 0U);
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(run(), 1U);
  EXPECT_EQ(ProfileStore(file, Open::existing).load().at(0).samples.size(), 2U);
}

TEST_F(ProfileTrouble, NoneAtAllIsToldToWhoeverOnlyReads) {
  EXPECT_EQ(run(false), 0U);
  expect_one_line("no such file");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ProfileTrouble, AnEmptyFileIsANewProfile) {
  write("");
  run();
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(samples(), 1U);
}

TEST_F(ProfileTrouble, AFileThatIsNoProfileStaysAsItIs) {
  for (const std::string& foreign : {"Dear diary, today I made no database." + std::string(5000, '.'),
                                     "\x89PNG\r\n\x1a\n" + std::string(5000, '\7'), std::string(40, 'x')}) {
    write(foreign);
    EXPECT_EQ(run(), 0U);
    expect_one_line("is no SQLite database; going on without it");
    EXPECT_EQ(text(file), foreign);
    EXPECT_FALSE(std::filesystem::exists(file + ".damaged"));
    EXPECT_EQ(move_aside(file), "");
  }
}

TEST_F(ProfileTrouble, ADatabaseOfSomethingElseStaysAsItIsAlsoDamaged) {
  Database(file, Database::Open::create)
      .execute("CREATE TABLE diary (entry); INSERT INTO diary VALUES (zeroblob(20000)); PRAGMA application_id = 7");
  std::string bytes = text(file);
  EXPECT_EQ(run(), 0U);
  expect_one_line("is a database of something else; going on without it");
  EXPECT_EQ(text(file), bytes);
  std::fill(bytes.begin() + 100, bytes.end(), 'x');
  write(bytes);
  EXPECT_EQ(run(), 0U);
  expect_one_line("is a damaged database of something else; going on without it");
  EXPECT_EQ(text(file), bytes);
  EXPECT_FALSE(std::filesystem::exists(file + ".damaged"));
}

TEST_F(ProfileTrouble, DevicesAndPipesAreNoProfiles) {
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  run();
  expect_one_line("is no regular file; going on without it");
  EXPECT_TRUE(std::filesystem::is_fifo(file));
}

TEST_F(ProfileTrouble, WhatElseIsInTheWayOfADamagedProfileIsKept) {
  make(3);
  std::filesystem::resize_file(file, 5000);
  const std::string before = text(file);
  std::ofstream(file + ".damaged") << "taken";
  run();
  expect_one_line("is damaged; moved to " + file + ".damaged-2");
  EXPECT_EQ(text(file + ".damaged-2"), before);
  EXPECT_EQ(text(file + ".damaged"), "taken");
}

TEST_F(ProfileTrouble, AProfileIsKnownByEitherOfItsMarks) {
  make(3);
  const std::string sound = text(file);
  for (const std::size_t first : {std::size_t{0}, std::size_t{68}}) {  // SQLite's name, and the application id
    std::string bytes = sound;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), 4, 'x');
    write(bytes);
    EXPECT_EQ(run(), 0U) << first;
    expect_one_line("is damaged; moved to " + file + ".damaged");
    EXPECT_EQ(text(file + ".damaged"), bytes);
    EXPECT_EQ(samples(), 1U);
    std::filesystem::remove(file + ".damaged");
  }
}

TEST_F(ProfileTrouble, ADamagedFileIsMovedAside) {
  make();
  std::string bytes = text(file);
  for (std::size_t at = 2 * 4096; at < bytes.size(); at += 1) bytes[at] = static_cast<char>(at * 37);
  write(bytes);
  EXPECT_EQ(run(), 0U);
  expect_one_line("is damaged");
  EXPECT_EQ(text(file + ".damaged"), bytes);
  EXPECT_EQ(samples(), 1U);
}

TEST_F(ProfileTrouble, ACutFileIsMovedAside) {
  make();
  std::filesystem::resize_file(file, 5000);
  run();
  expect_one_line("is damaged");
}

TEST_F(ProfileTrouble, ASampleThatMakesNoSenseIsDamage) {
  for (const char* change : {"seconds = -1", "numeric = '1 2 x'", "numeric = 'nan'", "seconds = 'soon'",
                             "numeric = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17'"}) {
    make(1);
    Database(file, Database::Open::existing).execute(std::string("UPDATE samples SET ") + change);
    EXPECT_EQ(run(), 0U) << change;
    expect_one_line("is damaged");
    std::filesystem::remove(file);
  }
}

TEST_F(ProfileTrouble, ANewerProfileStaysAsItIs) {
  make(3);
  Database(file, Database::Open::existing).execute("PRAGMA user_version = 2");
  const std::string before = text(file);
  EXPECT_EQ(run(), 0U);
  expect_one_line("newer version (layout 2, this one knows 1); going on without it");
  EXPECT_EQ(text(file), before);
}

TEST_F(ProfileTrouble, ALockedProfileIsReportedOnce) {
  make(3);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t holder = test::in_child([&] {
    Database database(file, Database::Open::existing);
    database.execute("BEGIN EXCLUSIVE");
    if (::write(ends[1], "x", 1) != 1) return 1;
    ::pause();
    return 0;
  });
  ::close(ends[1]);
  char locked = 0;
  ASSERT_EQ(::read(ends[0], &locked, 1), 1) << "the child could not lock the profile";
  ::close(ends[0]);
  EXPECT_THROW(ProfileStore(file, Open::existing, {.capacity = 10, .patience_ms = 50}).load(), ProfileError);
  lines.clear();
  ProfileUse use(file, true, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_TRUE(use.load().empty());
  expect_one_line("stays locked by another process");
  ::kill(holder, SIGKILL);
  test::status_of(holder);
  use.collect("sharpen", "cpu", test::entry(3, 1).features, 0.25);
  use.save();  // by then the lock is gone, and nothing is lost
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_EQ(samples(), 7U);
}

TEST_F(ProfileTrouble, AReadOnlyProfileIsReadAndNotAddedTo) {
  make(3);
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 65534, 65534), 0);
    ASSERT_EQ(::chown(folder.c_str(), 65534, 65534), 0);
  }
  const int status = test::status_of(test::in_child([&] {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 1;
    if (run() != 2) return 2;
    if (lines.size() != 1) return 3;
    return lines[0].find("what this run measured is not kept") != std::string::npos ? 0 : 4;
  }));
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(samples(), 6U);
}

TEST_F(ProfileTrouble, AFullDiskIsReportedAndKeepsWhatWasThere) {
  make(3);
  const int status = test::status_of(test::in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const auto size = static_cast<rlim_t>(std::filesystem::file_size(file));
    const rlimit limit{size, size};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ProfileUse use(file, true, [&](const std::string& line) { lines.push_back(line); });
    if (use.load().size() != 2) return 2;
    for (int i = 0; i < 1000; ++i) use.collect("c", "cpu", test::entry(i, 1).features, 1);
    use.save();
    if (lines.size() != 1) return 3;
    return lines[0].find("what this run measured is not kept") != std::string::npos ? 0 : 4;
  }));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(samples(), 6U);
}

TEST_F(ProfileTrouble, AFolderIsNoProfile) {
  std::filesystem::create_directory(file);
  run();
  expect_one_line("is a folder; going on without it");
}

TEST_F(ProfileTrouble, OneThatCannotBeReadIsAnInputThatCannot) {
  const DatabaseError unread(ErrorKind::input, file + ": cannot be read", SQLITE_IOERR_READ);
  EXPECT_EQ(explain(file, unread).kind(), ErrorKind::input);
}

TEST_F(ProfileTrouble, WhoHasItOpenIsWaitedFor) {
  make();
  std::filesystem::resize_file(file, 5000);
  std::optional<FolderLock> open(std::in_place, file, FolderLock::Kind::shared, 0);
  auto mover = std::async(std::launch::async, [&] { return move_aside(file); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_THROW(FolderLock(file, FolderLock::Kind::alone, 20), ProfileError);
  open.reset();
  EXPECT_EQ(mover.get(), file + ".damaged");
}

TEST_F(ProfileTrouble, OfManyThatFindItDamagedOneMovesIt) {
  make();
  std::filesystem::resize_file(file, 5000);
  const std::string before = text(file);
  std::vector<pid_t> children;
  for (int p = 0; p < 8; ++p) {
    children.push_back(test::in_child([&] {
      run();
      return lines.size() <= 1 ? 0 : 1;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(test::status_of(child), 0);
  EXPECT_EQ(text(file + ".damaged"), before);
  EXPECT_FALSE(std::filesystem::exists(file + ".damaged-2"));
  EXPECT_EQ(samples(), 8U);
}

}  // namespace
}  // namespace starpath
