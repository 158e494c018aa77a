// Maps on several ranks of this machine: the same bytes as one process.
#include <gtest/gtest.h>

#include "tests/apps/command.hpp"

#ifdef STARPATH_MPIRUN
#include "tests/mpi/ranks.hpp"
#include "tests/support/npy_file.hpp"

namespace starpath {
namespace {

using test::shell;
using test::TemporaryFolder;

constexpr int kWidth = 1100, kHeight = 900;

/// Discs of other sizes around the points of a lattice, which tiles cut.
std::vector<std::int32_t> discs() {
  std::vector<std::int32_t> numbers(kWidth * kHeight);
  std::int32_t number = 0;
  for (int v = 20; v < kHeight; v += 31)
    for (int u = 20; u < kWidth; u += 37) {
      const int radius = 4 + (u * 7 + v * 3) % 9;
      ++number;
      for (int y = std::max(0, v - radius); y < std::min(kHeight, v + radius + 1); ++y)
        for (int x = std::max(0, u - radius); x < std::min(kWidth, u + radius + 1); ++x)
          if ((x - u) * (x - u) + (y - v) * (y - v) <= radius * radius)
            numbers[static_cast<std::size_t>(y * kWidth + x)] = number;
    }
  return numbers;
}

TEST(InstancesRun, AnyNumberOfRanksGivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  support::write_npy(folder / "labels.npy", {kHeight, kWidth}, discs());
  std::vector<std::uint8_t> scores;
  for (const std::int32_t number : discs()) scores.push_back(number == 0 ? 20 : 230);
  support::write_npy(folder / "scores.npy", {kHeight, kWidth}, scores);
  for (const auto& [maps, kind] :
       {std::pair<std::string, std::string>{"labels", "labels"}, {"scores", "probability"}}) {
    const auto run = [&, &file = maps, &of = kind](const std::string& out, const std::string& more) {
      return STARPATH_PROGRAM " instances " + folder / (file + ".npy") + " --kind " + of +
             " --slide synthetic:1100x900,seed=6,mpp=0.5 --tile 256 --cpus 1 --window 2 --quiet --set "
             "background_level=255 --export csv,geojson,labels --out " +
             folder / (of + out) + " " + more;
    };
    const auto alone = shell(run("alone", ""));
    ASSERT_EQ(alone.code, 0) << alone.output;
    std::vector<std::pair<std::string, std::string>> jobs = {{test::launcher(2), ""}, {test::launcher(4), ""}};
#ifdef STARPATH_MPI_STREAMS
    jobs.emplace_back(test::launcher(3), "--streams odds --readers 1");
#endif
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const std::string out = "ranks" + std::to_string(i);
      const auto ran = shell(jobs[i].first + run(out, jobs[i].second));
      ASSERT_EQ(ran.code, 0) << ran.output;
      for (const char* name : {"/nuclei.csv", "/nuclei.geojson", "/labels.tif"})
        EXPECT_TRUE(test::read_file(folder / (kind + out) + name) == test::read_file(folder / (kind + "alone") + name))
            << kind << ": " << jobs[i].first << name;
    }
    const std::string csv = test::read_file(folder / (kind + "alone/nuclei.csv"));
    EXPECT_GT(std::ranges::count(csv, '\n'), 800) << kind;
  }
}

}  // namespace
}  // namespace starpath
#endif
