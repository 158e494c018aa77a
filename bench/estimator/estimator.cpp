// The estimator: one query of 1,000 samples of 8 dimensions, and loading a profile of 100,000
// samples.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <random>

#include "estimator/knn.hpp"
#include "estimator/linear.hpp"
#include "estimator/store/profile_use.hpp"

namespace {

using namespace starpath;

constexpr std::size_t kDimensions = 8;

Features random_features(std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(0, 1e6);
  Features features;
  for (std::size_t d = 0; d < kDimensions; ++d) features.add_numeric(value(random));
  features.add_categorical(static_cast<std::int64_t>(random() % 2));
  return features;
}

void ask(benchmark::State& state, Estimator estimator) {
  std::mt19937_64 random(1);
  const unsigned codelet = estimator.codelet("c");
  std::vector<Sample> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back({random_features(random), 0, 1.0 + i});
  estimator.learn(codelet, samples);
  std::vector<Features> queries;
  for (int i = 0; i < 1024; ++i) queries.push_back(random_features(random));
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(estimator.seconds(codelet, 0, queries[next++ % queries.size()]));
}

void query(benchmark::State& state) { ask(state, Estimator(knn_learner({.k = 2, .capacity = 1000}))); }
BENCHMARK(query);

void query_linear(benchmark::State& state) {
  ask(state, Estimator([] { return std::make_unique<LinearLearner>(1000, 1); }));
}
BENCHMARK(query_linear);

/// 100 groups of 1,000 samples, in a file of this process that goes away.
class Profile : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State&) override {
    file_ = (std::filesystem::temp_directory_path() / ("starpath_bench_" + std::to_string(::getpid()))).string();
    std::mt19937_64 random(2);
    for (std::size_t g = 0; g < 100; ++g) {
      ProfileGroup group{.codelet = "c" + std::to_string(g / 2),
                         .device_class = g % 2 == 0 ? "cpu" : "gpu",
                         .numeric_names = {},
                         .categorical_names = {},
                         .samples = {},
                         .offered = 1000};
      for (int i = 0; i < 1000; ++i) group.samples.push_back({random_features(random), 1.0 + i});
      groups_.push_back(std::move(group));
    }
    ProfileStore(file_, ProfileStore::Open::create).append(groups_);
  }
  void TearDown(benchmark::State&) override {
    std::filesystem::remove(file_);
    groups_.clear();
  }

 protected:
  std::string file_;
  std::vector<ProfileGroup> groups_;
};

BENCHMARK_DEFINE_F(Profile, load_100000)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ProfileStore(file_, ProfileStore::Open::existing).load());
}
BENCHMARK_REGISTER_F(Profile, load_100000)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Profile, load_and_teach_100000)(benchmark::State& state) {
  const std::vector<std::string> classes = {"cpu", "gpu"};
  for (auto _ : state) {
    KnnEstimator knn;
    teach(knn, ProfileStore(file_, ProfileStore::Open::existing).load(), classes);
    benchmark::DoNotOptimize(knn.codelets());
  }
}
BENCHMARK_REGISTER_F(Profile, load_and_teach_100000)->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(Profile, append_1000)(benchmark::State& state) {
  for (auto _ : state) ProfileStore(file_, ProfileStore::Open::existing).append(std::span(groups_).first(1));
}
BENCHMARK_REGISTER_F(Profile, append_1000)->Unit(benchmark::kMillisecond);

}  // namespace
