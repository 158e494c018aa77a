// k-means over made-up points on the workers of this machine: seconds of the rounds, and memory.
//
// Usage: bench_clusters POINTS NUMBERS K ROUNDS WORKERS FILE. POINTS points of NUMBERS numbers around K centres are
// written into FILE, row by row as 16-bit integers, unless it is there with their size: beside_sklearn.py reads the
// same.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/pure/random.hpp"
#include "pipelines/clustering/kmeans.hpp"
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
  if (argc != 7) {
    fmt::print(stderr, "usage: bench_clusters POINTS NUMBERS K ROUNDS WORKERS FILE\n");
    return 2;
  }
  const std::int64_t count = std::atoll(argv[1]);
  const int numbers = std::atoi(argv[2]), k = std::atoi(argv[3]), rounds = std::atoi(argv[4]);
  std::error_code none;
  if (std::filesystem::file_size(argv[6], none) != static_cast<std::uintmax_t>(2 * count * numbers))
    make_points(argv[6], count, numbers, k);
  const StarpuSession session({.policy = "eager", .cpus = std::atoi(argv[5]), .gpus = 0});
  RawFile points(argv[6], numbers, count);
  Points centres{numbers, std::vector<std::int16_t>(static_cast<std::size_t>(k * numbers))};
  points.read(0, centres.values);
  const double processor = seconds_of_processor();
  const auto begin = std::chrono::steady_clock::now();
  const std::atomic<bool> go_on{false};
  Alone team(go_on);
  const KmeansResult found = kmeans(points, centres, rounds, {}, team);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("seconds {:.2f} processor {:.2f} rounds {} spread {} memory_mib {}\n", taken.count(),
             seconds_of_processor() - processor, found.rounds, found.sums.spread(), usage.ru_maxrss / 1024);
  return 0;
}
