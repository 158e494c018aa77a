// Calls that crash, in a child.
#include "base/child_trial.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace starpath {
namespace {

TEST(ChildTrial, TellsACrashFromAnEnd) {
  int done = 0;
  const TrialEnd well = try_in_child([&] { ++done; });
  EXPECT_FALSE(well.crashed);
  EXPECT_EQ(well.error, "");
  EXPECT_EQ(done, 0) << "it ran in this process";
  EXPECT_TRUE(try_in_child([] { std::abort(); }).crashed);
  EXPECT_TRUE(try_in_child([] { std::raise(SIGSEGV); }).crashed);
  EXPECT_TRUE(try_in_child([] { std::exit(3); }).crashed);
}

TEST(ChildTrial, TellsWhatWasThrown) {
  const std::string reason(100'000, 'x');
  const TrialEnd end = try_in_child([&] { throw std::runtime_error(reason); });
  EXPECT_FALSE(end.crashed);
  EXPECT_EQ(end.error, reason);
}

TEST(ChildTrial, WhatIsPrintedToStandardErrorIsLost) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(try_in_child([] { std::fputs("a library's words\n", stderr); }).crashed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace starpath
