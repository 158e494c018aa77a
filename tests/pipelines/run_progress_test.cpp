// Where a run stands.
#include "pipelines/run/run_progress.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

TEST(RunProgress, ATileThatTwoRanksGiveUpCountsOnce) {
  std::vector<std::string> told;
  const ProgressCallback tell = [&](const Progress&, const std::string& failure) { told.push_back(failure); };
  RunProgress progress(tell);
  progress.expect(3, 3);
  progress.finished({7, true, false, 0, "part 1 failed"});
  progress.finished({7, true, false, 0, "part 2 failed"});
  progress.finished({8, false, false, 2, ""});
  EXPECT_EQ(told, (std::vector<std::string>{"part 1 failed", ""}));
  const Progress ended = progress.ended(false);
  EXPECT_EQ(ended.tiles_done, 2);
  EXPECT_EQ(ended.tiles_failed, 1);
}

}  // namespace
}  // namespace starpath
