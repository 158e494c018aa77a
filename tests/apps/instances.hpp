// `starpath instances` on maps of one slide, which tests of each kind paint.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/npy_file.hpp"

namespace starpath::test {

inline constexpr int kMapWidth = 900, kMapHeight = 700;
inline const std::string kMapSlide = "synthetic:900x700,seed=7,mpp=0.5";

class Instances : public testing::Test {
 protected:
  std::string run_text(const std::string& maps, const std::string& out, const std::string& more = "") const {
    return "starpath instances " + maps + " --slide " + kMapSlide + " --quiet --export none --out " + folder_ / out +
           " " + more;
  }
  /// Runs, and returns the outlines that were found.
  auto outlines_of(const std::string& maps, const std::string& out, const std::string& more = "") const {
    const auto run = shell(run_text(maps, out, more));
    EXPECT_EQ(run.code, 0) << run.output;
    return test::outlines(folder_ / out);
  }
  void refused(const std::string& maps, const std::string& more, int code,
               const std::vector<std::string>& words) const {
    expect_one_line(shell(run_text(maps, "refused", more)), code, words);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
  }

  const TemporaryFolder folder_;
};

}  // namespace starpath::test
