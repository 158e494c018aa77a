// k-means in tasks: that blocks, workers, policies and teams decide nothing.
#include "pipelines/clustering/kmeans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "pipelines/run/starpu_session.hpp"
#include "tests/pipelines/clustering_points.hpp"
#include "tests/pipelines/team_of_threads.hpp"

// StarPU 1.4.10 does not free the last node of a worker's queue of tasks that only that worker may run.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:_starpu_push_local_task\n"; }

namespace starpath {
namespace {

using test::around_centres;
using test::as_team;

/// Lloyd's rounds as the textbook has them, on the reference.
Points lloyd(const Points& points, Points centres, std::vector<std::uint8_t>& labels) {
  Scratch scratch;
  const int k = static_cast<int>(centres.count()), columns = points.numbers + 2;
  labels.resize(points.count());
  for (;;) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(k * columns));
    reference::kmeans_assign(KernelContext{scratch}, points.view(), centres.view(), labels,
                             {all.data(), columns, k, columns});
    CentreSums sums(k, points.numbers);
    sums.add(all);
    Points means = sums.means(centres);
    if (means == centres) return centres;
    centres = std::move(means);
  }
}

TEST(KmeansTasks, GiveWhatTheReferenceGives) {
  const Points points = around_centres(5, 2 * kPointsOfBlock + 777, 16);
  const Points seeds{16, {points.values.begin(), points.values.begin() + 16 * 7}};
  std::vector<std::uint8_t> labels;
  const Points expected = lloyd(points, seeds, labels);
  const std::atomic<bool> go_on{false};
  Alone team(go_on);
  for (const std::string policy : {"eager", "lws", "random"})
    for (const int cpus : {1, 2}) {
      const StarpuSession session({.policy = policy, .cpus = cpus, .gpus = 0});
      PointsInMemory source(points);
      const KmeansResult found = kmeans(source, seeds, 1000, {}, team);
      EXPECT_TRUE(found.settled);
      EXPECT_EQ(found.centres, expected);
      std::vector<std::uint8_t> given;
      label_points(
          source, found.centres,
          [&](std::int64_t first, std::span<const std::uint8_t> block) {
            EXPECT_EQ(first, std::ssize(given));
            given.insert(given.end(), block.begin(), block.end());
          },
          team);
      EXPECT_EQ(given, labels);
    }
}

TEST(KmeansTasks, GiveTheSameHoweverPointsAreDivided) {
  const Points points = around_centres(5, kPointsOfBlock + 501, 16);
  const Points seeds{16, {points.values.begin(), points.values.begin() + 16 * 7}};
  std::vector<std::uint8_t> labels;
  const Points expected = lloyd(points, seeds, labels);
  const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
  const auto row = [&](std::int64_t point) { return points.values.begin() + point * 16; };
  const std::int64_t bounds[] = {0, 300, 300, std::ssize(labels)};  // the second has none
  as_team(3, [&](int member, Team& team) {
    const Points mine{16, {row(bounds[member]), row(bounds[member + 1])}};
    PointsInMemory source(mine);
    const KmeansResult found = kmeans(source, seeds, 1000, {}, team);
    EXPECT_EQ(found.centres, expected);
    std::vector<std::uint8_t> given;
    label_points(
        source, found.centres,
        [&](std::int64_t, std::span<const std::uint8_t> block) {
          given.insert(given.end(), block.begin(), block.end());
        },
        team);
    EXPECT_TRUE(
        std::equal(given.begin(), given.end(), labels.begin() + bounds[member], labels.begin() + bounds[member + 1]));
  });
}

TEST(Team, UnitesWhatEachHasInPart) {
  as_team(3, [&](int member, Team& team) {
    std::vector<std::int16_t> values(5);
    values[static_cast<std::size_t>(member)] = static_cast<std::int16_t>(-1 - member);
    if (member == 2) values[4] = 9;
    unite(team, values);
    EXPECT_EQ(values, (std::vector<std::int16_t>{-1, -2, -3, 0, 9}));
  });
}

class Unreadable final : public PointSource {
 public:
  int numbers() const override { return 16; }
  std::int64_t count() const override { return 5 * kPointsOfBlock; }
  void read(std::int64_t first, std::span<std::int16_t> values) override {
    if (first > 2 * kPointsOfBlock) throw std::runtime_error("disk");
    std::ranges::fill(values, std::int16_t{1});
  }
};

TEST(KmeansTasks, EndWhenPointsCannotBeRead) {
  const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
  const std::atomic<bool> go_on{false};
  Alone team(go_on);
  Unreadable source;
  EXPECT_THROW(kmeans(source, {16, std::vector<std::int16_t>(32)}, 5, {}, team), std::runtime_error);
  as_team(2, [&](int member, Team& both) {
    if (member == 1) {
      Unreadable unreadable;
      EXPECT_THROW(kmeans(unreadable, {16, std::vector<std::int16_t>(32)}, 5, {}, both), std::runtime_error);
    } else {
      const Points fine = around_centres(2, 100, 16);
      PointsInMemory readable(fine);
      EXPECT_THROW(kmeans(readable, {16, std::vector<std::int16_t>(32)}, 5, {}, both), Stopped);
    }
  });
}

}  // namespace
}  // namespace starpath
