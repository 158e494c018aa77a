// The lock on a folder of results: one job at a time, which may have several ranks, and nothing is left of the dead.
#include "io/results/output_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"

namespace starpath::io {
namespace {

/// A process that takes the lock as a rank and keeps it.
class Holder {
 public:
  Holder(const std::filesystem::path& folder, int rank) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      char said = '-';
      try {
        const OutputLock lock(folder, rank);
        said = '+';
        if (::write(ends[1], &said, 1) == 1) ::pause();
      } catch (const Error&) {
        if (::write(ends[1], &said, 1) != 1) ::_exit(1);
      }
      ::_exit(0);
    }
    char said = 0;
    has_it_ = ::read(ends[0], &said, 1) == 1 && said == '+';
    for (const int end : ends) ::close(end);
  }
  ~Holder() { kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  bool has_it() const { return has_it_; }
  pid_t pid() const { return pid_; }
  void kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  bool has_it_ = false;
};

class OutputLockTest : public ::testing::Test {
 protected:
  /// What a new job is told; empty when it gets the folder.
  std::string refusal() const {
    try {
      const OutputLock lock(folder.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::output);
      return error.what();
    }
    return "";
  }
  void expect_in_use_by(const Holder& holder) const {
    EXPECT_EQ(refusal(), folder.path().string() + ": in use by process " + std::to_string(holder.pid()) +
                             "; wait until that has finished or choose another folder");
  }
  bool is_left() const { return std::filesystem::exists(folder.path() / "results.lock"); }

  const TemporaryFolder folder;
};

TEST_F(OutputLockTest, ASecondJobIsToldWhoHasTheFolder) {
  Holder first(folder.path(), 0);
  ASSERT_TRUE(first.has_it());
  expect_in_use_by(first);
  first.kill();
  EXPECT_EQ(refusal(), "") << "the dead hold nothing";
  EXPECT_FALSE(is_left());
}

TEST_F(OutputLockTest, RanksJoinTheirJob) {
  Holder manager(folder.path(), 0), second(folder.path(), 1), third(folder.path(), 2);
  EXPECT_TRUE(manager.has_it() && second.has_it() && third.has_it());
  EXPECT_FALSE(Holder(folder.path(), 2).has_it());
}

TEST_F(OutputLockTest, ARankThatOutlivesItsManagerKeepsNewJobsOut) {
  Holder manager(folder.path(), 0), rank(folder.path(), 3);
  manager.kill();
  expect_in_use_by(rank);
  rank.kill();
  EXPECT_EQ(refusal(), "");
}

TEST_F(OutputLockTest, AManagerThatEndsBeforeItsRanksLeavesThemTheFile) {
  auto manager = std::make_unique<OutputLock>(folder.path());
  const Holder rank(folder.path(), 1);
  ASSERT_TRUE(rank.has_it());
  manager.reset();
  EXPECT_TRUE(is_left());
  expect_in_use_by(rank);
}

TEST_F(OutputLockTest, AReaderWaitsForNoReaderAndKeepsJobsOut) {
  {
    const OutputLock reader = OutputLock::for_reading(folder.path());
    EXPECT_FALSE(Holder(folder.path(), 0).has_it());
    EXPECT_TRUE(is_left());
  }
  EXPECT_FALSE(is_left());
  const Holder job(folder.path(), 0);
  EXPECT_THROW(OutputLock::for_reading(folder.path()), Error);
}

TEST_F(OutputLockTest, AFolderThatCannotBeWrittenIsReadWithoutALock) {
  if (::geteuid() == 0 && ::seteuid(65534) != 0) GTEST_SKIP() << "root may write everywhere";
  EXPECT_NO_THROW(OutputLock::for_reading("/"));
  if (::getuid() == 0) {
    EXPECT_EQ(::seteuid(0), 0);
  }
}

TEST_F(OutputLockTest, OfManyAtOnceOneHasTheFolder) {
  std::vector<std::unique_ptr<Holder>> jobs;
  int with = 0;
  for (int i = 0; i < 4; ++i) with += (jobs.emplace_back(std::make_unique<Holder>(folder.path(), 0))->has_it() ? 1 : 0);
  EXPECT_EQ(with, 1);
}

}  // namespace
}  // namespace starpath::io
