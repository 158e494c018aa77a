// Runs of the program that are killed at random moments and resumed.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>

#include "tests/apps/command.hpp"

namespace starpath::test {

/// Seconds that `starpath ARGUMENTS` takes, which must end well.
inline double seconds_of(const std::string& arguments) {
  const auto began = std::chrono::steady_clock::now();
  const Outcome run = shell("starpath " + arguments);
  EXPECT_EQ(run.code, 0) << run.output;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Kills `starpath ARGUMENTS --resume --out FOLDER` at random moments of the `seconds` that a whole run takes, until
/// one ends by itself, at most `kills` times; then lets it end. A run that ends before any was killed does not count:
/// on a machine that became faster FOLDER is made anew.
inline void kill_and_resume(const std::string& arguments, const std::string& folder, double seconds, int kills) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string command = " " + arguments + " --resume --out " + folder;
  int killed = 0;
  for (int tries = 0; tries < 100 && killed < kills; ++tries) {
    const double moment = std::uniform_real_distribution(0.05, 0.95)(random) * seconds;
    const Outcome run = shell("timeout -s KILL " + std::to_string(moment) + " " STARPATH_PROGRAM + command);
    if (run.code == 0 && killed > 0) break;
    if (run.code == 0) {
      std::filesystem::remove_all(folder);
      continue;
    }
    ASSERT_EQ(run.code, 137) << run.output;
    ++killed;
  }
  EXPECT_GT(killed, 0);
  const Outcome last = shell("starpath" + command);
  ASSERT_EQ(last.code, 0) << last.output;
}

}  // namespace starpath::test
