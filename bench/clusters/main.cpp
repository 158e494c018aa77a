// k-means over made-up points on the workers of this machine: seconds of the rounds, and memory.
//
// Usage: bench_clusters POINTS NUMBERS K ROUNDS WORKERS FILE [BATCH]. With BATCH it begins as `starpath cluster` does,
// with the centres of a sample, and looks at so many points a round (0: all); without, with the first K points. "label"
// is the pass that labels all points after it, "spread" the mean squared distance, in squared deviations. POINTS points
// of NUMBERS numbers around K centres are written into FILE, row by row as 16-bit integers, unless it is there with
// their size: beside_sklearn.py reads the same.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "base/pure/random.hpp"
#include "pipelines/clustering/mini_batch.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace {

using namespace starpath;

class RawFile final : public PointSource {
 public:
  RawFile(const char* path, int numbers, std::int64_t count) : numbers_(numbers), count_(count), in_(path) {}
  int numbers() const override { return numbers_; }
  std::int64_t count() const override { return count_; }
  void read(std::int64_t first, std::span<std::int16_t> values) override {
    in_.seekg(first * numbers_ * static_cast<std::int64_t>(sizeof(std::int16_t)));
    in_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
  }

 private:
  const int numbers_;
  const std::int64_t count_;
  std::ifstream in_;
};

/// Clouds that overlap, so that Lloyd's rounds have work to do.
void make_points(const char* path, std::int64_t count, int numbers, int k) {
  SplitMix64 random(1);
  std::vector<int> centres(static_cast<std::size_t>(k * numbers));
  for (int& value : centres) value = static_cast<int>(random.next() % 1024) - 512;
  std::ofstream out(path, std::ios::binary);
  std::vector<std::int16_t> row(static_cast<std::size_t>(numbers));
  for (std::int64_t p = 0; p < count; ++p) {
    const std::size_t own = random.next() % static_cast<std::size_t>(k) * static_cast<std::size_t>(numbers);
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<std::int16_t>(centres[own + i] + static_cast<int>(random.next() % 1024) - 512);
    out.write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(row.size() * sizeof row[0]));
  }
}

double seconds_of_processor() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7 && argc != 8) {
    fmt::print(stderr, "usage: bench_clusters POINTS NUMBERS K ROUNDS WORKERS FILE [BATCH]\n");
    return 2;
  }
  const std::int64_t count = std::atoll(argv[1]);
  const int numbers = std::atoi(argv[2]), k = std::atoi(argv[3]), rounds = std::atoi(argv[4]);
  std::error_code none;
  if (std::filesystem::file_size(argv[6], none) != static_cast<std::uintmax_t>(2 * count * numbers))
    make_points(argv[6], count, numbers, k);
  const StarpuSession session({.policy = "eager", .cpus = std::atoi(argv[5]), .gpus = 0});
  RawFile points(argv[6], numbers, count);
  const auto points_of = [&](std::span<const PointRun> runs) {
    Points some{numbers, {}};
    for (const PointRun& run : runs) {
      const auto values = static_cast<std::size_t>(run.count * numbers);
      some.values.resize(some.values.size() + values);
      points.read(run.first, std::span(some.values).last(values));
    }
    return some;
  };
  const std::atomic<bool> go_on{false};
  Alone team(go_on);
  std::vector<PointRun> sampled(static_cast<std::size_t>(argc == 8 ? std::min<std::int64_t>(count, 20'000) : k));
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    sampled[i] = {argc == 8 ? number * count / std::ssize(sampled) : number, 1};
  }
  Points centres = points_of(sampled);
  if (argc == 8) centres = cluster_sample(centres, k, 1).centres;
  const std::int64_t batch = argc == 8 ? std::atoll(argv[7]) : 0;
  const double processor = seconds_of_processor();
  const auto begin = std::chrono::steady_clock::now();
  const KmeansResult found = batch == 0 ? kmeans(points, centres, rounds, {}, team)
                                        : kmeans_by_batches(points_of, centres, {batch, count, rounds, 1}, {}, team);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  const double worked = seconds_of_processor() - processor;
  const auto labelling = std::chrono::steady_clock::now();
  const CentreSums sums = label_points(points, found.centres, {}, team);
  const std::chrono::duration<double> labelled = std::chrono::steady_clock::now() - labelling;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("seconds {:.2f} processor {:.2f} rounds {} label {:.2f} spread {:.5f} memory_mib {}\n", taken.count(),
             worked, found.rounds, labelled.count(),
             static_cast<double>(sums.spread()) / (double{kPointUnit} * kPointUnit * static_cast<double>(count)),
             usage.ru_maxrss / 1024);
  return 0;
}
