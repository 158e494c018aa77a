// Maps on several ranks of this machine: the same bytes as one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

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

/// What StarDist gives of the discs with a point for each 2 x 2 pixels, in 8 directions; channels last.
std::vector<float> stars_of_discs() {
  const std::vector<std::int32_t> numbers = discs();
  constexpr std::array<std::array<int, 2>, 8> steps = {
      {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
  const auto number_at = [&](int x, int y) {
    return x < 0 || y < 0 || x >= kWidth || y >= kHeight ? 0 : numbers[static_cast<std::size_t>(y * kWidth + x)];
  };
  std::vector<float> maps;
  for (int y = 0; y < kHeight; y += 2)
    for (int x = 0; x < kWidth; x += 2) {
      const std::int32_t number = number_at(x, y);
      std::array<float, 8> rays{};
      for (std::size_t ray = 0; ray < rays.size(); ++ray) {
        int length = 0;
        while (number != 0 && number_at(x + length * steps[ray][0], y + length * steps[ray][1]) == number) ++length;
        rays[ray] = static_cast<float>(length * std::hypot(steps[ray][0], steps[ray][1]));
      }
      maps.push_back(number == 0 ? 0.0F : std::min(1.0F, .7F + .02F * *std::ranges::min_element(rays)));
      maps.insert(maps.end(), rays.begin(), rays.end());
    }
  return maps;
}

TEST(InstancesRun, AnyNumberOfRanksGivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  support::write_npy(folder / "labels.npy", {kHeight, kWidth}, discs());
  std::vector<std::uint8_t> scores;
  for (const std::int32_t number : discs()) scores.push_back(number == 0 ? 20 : 230);
  support::write_npy(folder / "scores.npy", {kHeight, kWidth}, scores);
  support::write_npy(folder / "stars.npy", {kHeight / 2, kWidth / 2, 9}, stars_of_discs());
  for (const auto& [maps, kind] :
       {std::pair<std::string, std::string>{"labels", "labels"}, {"scores", "probability"}, {"stars", "stardist"}}) {
    const auto run = [&, &file = maps, &of = kind](const std::string& out, const std::string& more) {
      return STARPATH_PROGRAM " instances " + folder / (file + ".npy") + " --kind " + of +
             " --slide synthetic:1100x900,seed=6,mpp=0.5 --tile 256 --cpus 1 --window 2 --quiet --set "
             "background_level=255 --export csv,geojson,labels --out " +
             folder / (of + out) + (of == "stardist" ? " --grid 2 " : " ") + more;
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
