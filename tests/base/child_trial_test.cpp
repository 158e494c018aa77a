// Calls that crash, in a child.
#include "base/child_trial.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace starpath {
namespace {

TEST(ChildTrial, TellsACrashFromAnEnd) {
  int done = 0;
  EXPECT_TRUE(ends_by_itself([&] { ++done; }));
  EXPECT_EQ(done, 0) << "it ran in this process";
  EXPECT_TRUE(ends_by_itself([] { throw std::runtime_error("as the caller will see"); }));
  EXPECT_FALSE(ends_by_itself([] { std::abort(); }));
  EXPECT_FALSE(ends_by_itself([] { std::raise(SIGSEGV); }));
  EXPECT_FALSE(ends_by_itself([] { std::exit(3); }));
}

}  // namespace
}  // namespace starpath
