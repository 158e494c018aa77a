// k-means by batches, against its source.
#include "pipelines/clustering/mini_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pipelines/run/starpu_session.hpp"
#include "tests/pipelines/clustering_points.hpp"
#include "tests/pipelines/team_of_threads.hpp"

namespace starpath {
namespace {

using test::around_centres;
using test::as_team;

TEST(Batches, TakeARunOfEachStretch) {
  for (const auto& [batch, points] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1000, 100'000}, {1000, 1001}, {64, 64}, {7, 100}, {130, 200}}) {
    SCOPED_TRACE(batch);
    const BatchOptions options{.batch = batch, .points = points, .rounds = 9, .seed = 3};
    for (const int round : {1, 2, 9}) {
      const std::vector<PointRun> runs = batch_of(options, round);
      const auto stretches = (batch + kPointsOfRun - 1) / kPointsOfRun;
      ASSERT_EQ(std::ssize(runs), stretches);
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < stretches; ++i) {
        const PointRun& run = runs[static_cast<std::size_t>(i)];
        EXPECT_GE(run.first, i * points / stretches);
        EXPECT_LE(run.first + run.count, (i + 1) * points / stretches);
        sum += run.count;
      }
      EXPECT_LE(sum, batch);
      EXPECT_GT(sum, batch - stretches);
      EXPECT_EQ(runs, batch_of(options, round));
    }
  }
  const BatchOptions options{.batch = 1000, .points = 100'000, .rounds = 9, .seed = 3};
  EXPECT_NE(batch_of(options, 1), batch_of(options, 2));
  EXPECT_NE(batch_of(options, 1), batch_of({.batch = 1000, .points = 100'000, .rounds = 9, .seed = 4}, 1));
}

/// Those of `points` from `begin` to `end` that are wanted.
Points wanted_of(const Points& points, std::int64_t begin, std::int64_t end, std::span<const PointRun> runs) {
  Points some{points.numbers, {}};
  for (const PointRun& run : runs)
    for (std::int64_t number = std::max(begin, run.first); number < std::min(end, run.first + run.count); ++number) {
      const std::int16_t* row = points.row(static_cast<std::size_t>(number));
      some.values.insert(some.values.end(), row, row + points.numbers);
    }
  return some;
}

/// Algorithm 1 of Sculley 2010, point by point, with centres rounded as points are where a round begins.
Points sculley(const Points& points, const Points& seeds, const BatchOptions& options) {
  const auto numbers = static_cast<std::size_t>(points.numbers);
  std::vector<double> centres(seeds.values.begin(), seeds.values.end());
  std::vector<double> given(seeds.count());
  const auto rounded = [&] {
    Points now = seeds;
    for (std::size_t i = 0; i < centres.size(); ++i) now.values[i] = static_cast<std::int16_t>(std::lround(centres[i]));
    return now;
  };
  for (int round = 1; round <= options.rounds; ++round) {
    const Points before = rounded();
    const Points batch = wanted_of(points, 0, options.points, batch_of(options, round));
    for (std::size_t p = 0; p < batch.count(); ++p) {
      const std::int16_t* point = batch.row(p);
      std::size_t nearest = 0;
      for (std::size_t c = 1; c < before.count(); ++c)
        if (squared_distance(point, before.row(c), points.numbers) <
            squared_distance(point, before.row(nearest), points.numbers))
          nearest = c;
      const double rate = 1 / ++given[nearest];
      for (std::size_t i = 0; i < numbers; ++i)
        centres[nearest * numbers + i] = (1 - rate) * centres[nearest * numbers + i] + rate * point[i];
    }
  }
  return rounded();
}

TEST(Batches, MoveCentresAsTheSourceDoesWhateverComputesThem) {
  const Points points = around_centres(5, 9000, 16);
  const Points seeds{16, {points.values.begin(), points.values.begin() + 16 * 7}};
  const BatchOptions options{.batch = 3000, .points = 9000, .rounds = 6, .seed = 5};
  const Points expected = sculley(points, seeds, options);
  const std::atomic<bool> go_on{false};
  for (const int cpus : {1, 2}) {
    const StarpuSession session({.policy = "eager", .cpus = cpus, .gpus = 0});
    Alone team(go_on);
    const auto all = [&](std::span<const PointRun> runs) { return wanted_of(points, 0, 9000, runs); };
    const KmeansResult found = kmeans_by_batches(all, seeds, options, {}, team);
    EXPECT_EQ(found.rounds, 6);
    ASSERT_EQ(found.centres.values.size(), expected.values.size());
    for (std::size_t i = 0; i < expected.values.size(); ++i)
      EXPECT_NEAR(found.centres.values[i], expected.values[i], 1) << i;  // of sums that rounding divides by a hair
    as_team(3, [&](int member, Team& three) {
      const std::int64_t bounds[] = {0, 300, 300, 9000};
      const auto mine = [&](std::span<const PointRun> runs) {
        return wanted_of(points, bounds[member], bounds[member + 1], runs);
      };
      EXPECT_EQ(kmeans_by_batches(mine, seeds, options, {}, three).centres, found.centres);
    });
  }
}

}  // namespace
}  // namespace starpath
