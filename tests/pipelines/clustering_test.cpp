// k-means: seeds and samples, and that blocks, workers and policies decide nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <exception>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/pure/random.hpp"
#include "pipelines/clustering/kmeans.hpp"
#include "pipelines/clustering/mini_batch.hpp"
#include "pipelines/run/starpu_session.hpp"

// StarPU 1.4.10 does not free the last node of a worker's queue of tasks that only that worker may run.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:_starpu_push_local_task\n"; }

namespace starpath {
namespace {

/// Points around so many centres that lie far apart, one after the other.
Points around_centres(int centres, std::size_t count, int numbers, std::uint64_t seed = 3) {
  SplitMix64 random(seed);
  Points points{numbers, {}};
  for (std::size_t p = 0; p < count; ++p)
    for (int i = 0; i < numbers; ++i) {
      const bool own = i % centres == static_cast<int>(p % static_cast<std::size_t>(centres));
      points.values.push_back(static_cast<std::int16_t>((own ? 1500 : 0) + static_cast<int>(random.next() % 400)));
    }
  return points;
}

class PointsInMemory final : public PointSource {
 public:
  explicit PointsInMemory(const Points& points) : points_(points) {}
  int numbers() const override { return points_.numbers; }
  std::int64_t count() const override { return static_cast<std::int64_t>(points_.count()); }
  void read(std::int64_t first, std::span<std::int16_t> values) override {
    std::copy_n(points_.row(static_cast<std::size_t>(first)), values.size(), values.begin());
  }

 private:
  const Points& points_;
};

TEST(ClusterSample, FindsTheClustersThatAreThere) {
  const Points points = around_centres(4, 2000, 8);
  const SampleClusters found = cluster_sample(points, 4, 1);
  std::set<int> nearest;
  for (std::size_t own = 0; own < 4; ++own) {
    int best = 0;
    for (int c = 1; c < 4; ++c)
      if (squared_distance(points.row(own), found.centres.row(static_cast<std::size_t>(c)), 8) <
          squared_distance(points.row(own), found.centres.row(static_cast<std::size_t>(best)), 8))
        best = c;
    nearest.insert(best);
  }
  EXPECT_EQ(nearest.size(), 4u);
  EXPECT_GT(found.silhouette.mean, 0.7);
  for (const int k : {2, 3, 5, 6}) EXPECT_LT(cluster_sample(points, k, 1).silhouette.mean, found.silhouette.mean) << k;
}

TEST(ClusterSample, DependsOnTheSeedAlone) {
  const Points points = around_centres(3, 500, 5);
  EXPECT_EQ(cluster_sample(points, 6, 9).centres, cluster_sample(points, 6, 9).centres);
  EXPECT_NE(cluster_sample(points, 6, 9).centres, cluster_sample(points, 6, 10).centres);
}

TEST(ClusterSample, FindsManyClustersWithAnySeed) {
  SplitMix64 random(11);
  const auto below = [&](int end) { return static_cast<int>(random.next() % static_cast<unsigned>(end)); };
  Points planted{16, {}}, points{16, {}};
  for (int i = 0; i < 12 * 16; ++i) planted.values.push_back(static_cast<std::int16_t>(below(1000) - 500));
  for (std::size_t p = 0; p < 1200; ++p)
    for (int i = 0; i < 16; ++i)
      points.values.push_back(static_cast<std::int16_t>(planted.row(p % 12)[i] + below(200) - 100));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const double nearest = static_cast<double>(cluster_sample(points, 12, seed).spread) / (1200.0 * 16);
    EXPECT_LT(nearest, 3400) << seed;  // mean square of a number from -100 to 99: 3,333
  }
}

TEST(ClusterSample, AHandfulOfOutliersIsNoCluster) {
  SplitMix64 random(3);
  Points points{8, {}};
  for (int p = 0; p < 2000; ++p)
    for (int i = 0; i < 8; ++i) {
      const int value = (i % 4 == p % 4 ? 700 : 0) + static_cast<int>(random.next() % 400) - 200;
      const bool outlier = p < 80 && p % 4 == 0;
      points.values.push_back(static_cast<std::int16_t>(outlier ? value * 5 / 2 : value));
    }
  std::vector<SampleClusters> tried;
  for (int k = 2; k <= 8; ++k) tried.push_back(cluster_sample(points, k, 1));
  ASSERT_GT(tried[3].silhouette.mean, tried[2].silhouette.mean) << "five, one of them of outliers, have the highest";
  EXPECT_EQ(choose_fewest(tried).centres.count(), 4u);
}

TEST(ClusterSample, TheFewestAreWithinThreeStandardErrors) {
  std::vector<SampleClusters> tried(4);
  for (const auto& [i, silhouette] : {std::pair{0, 0.30}, {1, 0.42}, {2, 0.38}, {3, 0.428}})
    tried[static_cast<std::size_t>(i)].silhouette = {silhouette, 0.003};
  EXPECT_EQ(&choose_fewest(tried), &tried[1]);
  tried[3].silhouette.mean = 0.43;
  EXPECT_EQ(&choose_fewest(tried), &tried[3]);
}

TEST(ClusterSample, TakesPointsThatAreAllEqual) {
  const Points points{2, {5, 6, 5, 6, 5, 6}};
  const SampleClusters found = cluster_sample(points, 3, 1);
  EXPECT_EQ(found.centres, points);
  EXPECT_EQ(found.spread, 0);
}

TEST(CentreSums, RoundToTheNearestAndKeepEmptyCentres) {
  CentreSums sums(3, 1);
  sums.add(std::vector<std::int64_t>{7, 2, 0, -7, 2, 0, 0, 0, 0});
  EXPECT_EQ(sums.means({1, {0, 0, 9}}), (Points{1, {4, -4, 9}}));
  EXPECT_EQ(order_by_size({1, {4, -4, 9}}, sums), (std::vector<int>{1, 0, 2}));
}

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

/// Threads in place of processes: what they share.
struct SharedSums {
  explicit SharedSums(int members) : barrier(members) {}
  std::barrier<> barrier;
  std::mutex mutex;
  std::vector<std::int64_t> sums;
};

class TeamOfThreads final : public Team {
 public:
  explicit TeamOfThreads(SharedSums& shared) : shared_(shared) {}

  void together(const std::function<void()>& part) override {
    std::exception_ptr failure;
    try {
      part();
    } catch (...) {
      failure = std::current_exception();
    }
    std::vector<std::int64_t> failures{failure ? 1 : 0};
    sum(failures);
    if (failure) std::rethrow_exception(failure);
    if (failures[0] > 0) throw Stopped();
  }
  void together_to_the_end(const std::function<void()>& part) override { together(part); }
  void sum(std::span<std::int64_t> values) override {
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.sums.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) shared_.sums[i] += values[i];
    }
    shared_.barrier.arrive_and_wait();
    std::copy_n(shared_.sums.begin(), values.size(), values.begin());
    shared_.barrier.arrive_and_wait();
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.sums.clear();
    }
    shared_.barrier.arrive_and_wait();
  }

 private:
  SharedSums& shared_;
};

/// Runs work(member, team) for each member of a team on a thread of its own.
template <class Work>
void as_team(int members, const Work& work) {
  SharedSums shared(members);
  std::vector<std::jthread> threads;
  for (int member = 0; member < members; ++member)
    threads.emplace_back([&, member] {
      TeamOfThreads team(shared);
      work(member, team);
    });
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
