// Runs that do not get their memory end with a line that says so.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

/// A run under a limit of so many MiB on what StarPU allocates; it is ended when it hangs.
test::Outcome run_within(int mib, const std::string& arguments) {
  return shell("STARPU_LIMIT_CPU_MEM=" + std::to_string(mib) + " timeout -k 5 100 " STARPATH_PROGRAM " " + arguments);
}

TEST(Memory, ATileThatDoesNotFitIsRefused) {
  const TemporaryFolder folder;
  const std::string segment = "segment synthetic:1400x900,seed=3 --quiet --export none --out " + folder / "out";
  expect_one_line(run_within(1, segment), 7,
                  {"out of memory: the data of a survey field take", "STARPU_LIMIT_CPU_MEM=1)", "raise"});
  expect_one_line(run_within(8, segment + " --overwrite"), 7,
                  {"out of memory: the data of a tile take 14 MiB at once", "8 MiB", "--tile"});
}

TEST(Memory, ALackOfItReplacesNothing) {
  const TemporaryFolder folder;
  const std::string segment = "segment synthetic:1400x900,seed=3 --quiet --export csv --out " + folder / "out";
  ASSERT_EQ(run_within(1000, segment).code, 0);
  const std::string results = read_file(folder / "out/results.sqlite");
  expect_one_line(run_within(8, segment + " --overwrite"), 7, {"out of memory: the data of a tile", "8 MiB"});
  EXPECT_TRUE(read_file(folder / "out/results.sqlite") == results);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/nuclei.csv"));
  // Here tiles fit, and the survey's fields are larger.
  expect_one_line(run_within(1, segment + " --overwrite --tile 64 --halo 32"), 7,
                  {"out of memory: the data of a survey field"});
  EXPECT_TRUE(read_file(folder / "out/results.sqlite") == results);
}

TEST(Memory, TilesInFlightThatDoNotFitTogetherEndTheRun) {
  const TemporaryFolder folder;
  const std::string nbia = "nbia run synthetic:4096x3072,pattern=stroma --out " + folder / "out";
  expect_says(run_within(2, nbia), 7, {"out of memory: ", "fields in flight", "--window", "--resume"});
  expect_says(run_within(4, nbia + " --resume --window 1"), 0, {});
}

// The sanitizers have maps and a pthread_create of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Memory, ALimitOnDataIsNamedBeforeItIsReached) {
  const TemporaryFolder folder;
  int code = 7;
  for (int kib = 36000; code != 0; kib += 3000) {
    ASSERT_LT(kib, 200000);
    const auto run =
        shell("ulimit -d " + std::to_string(kib) + "; timeout -k 5 60 " STARPATH_PROGRAM +
              " segment synthetic:512x512 --detector levels --cpus 2 --quiet --out " + folder / std::to_string(kib));
    code = run.code;
    if (code != 0) expect_one_line(run, 7, {"raise", "ulimit", "-d"});
  }
}

TEST(Memory, TooFewThreadsEndTheRunInOneLine) {
  const TemporaryFolder folder;
  int allowed = 0;
  for (int code = 7; code != 0; ++allowed) {
    ASSERT_LT(allowed, 60);
    const auto run = shell("LD_PRELOAD=" STARPATH_FEW_THREADS " STARPATH_TEST_THREADS=" + std::to_string(allowed) +
                           " timeout -k 5 60 " STARPATH_PROGRAM " segment synthetic:300x200 --cpus 2 --quiet --out " +
                           folder / std::to_string(allowed));
    code = run.code;
    if (code != 0) expect_one_line(run, 7, {"raise the limit on processes or memory (ulimit -u"});
  }
  EXPECT_GT(allowed, 3);
}
#endif

}  // namespace
}  // namespace starpath
