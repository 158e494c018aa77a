// Fills a profile for anthill-2010 Table 1: real times on one core, modelled times on a GPU. Then
// `starpath estimate --cross-validate --profile FILE` prints the table.
#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "bench/papers/anthill/applications.hpp"
#include "estimator/store/profile_store.hpp"
#include "lab/machine.hpp"

namespace starpath::bench::anthill {
namespace {

constexpr double kHalfFullThreads = 3'000;  // assumed: half of the gain; the modelled GPU holds 10,752 at once
constexpr double kDeviceSpread = 0.05;      // assumed, as in the lab's workloads: what is left between tasks alike

struct Measured {
  Job job;
  double seconds, steps;
};

/// Of this thread, so that other work on the machine counts little; the least of several runs.
double core_seconds(const Job& job, double& steps) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double begin = now();
    steps = job.run();
    least = std::min(least, now() - begin);
  }
  return least;
}

/// Transfers, calls, and steps at the gain over a core's mean rate, less where there are few threads.
double gpu_seconds(const Measured& measured, double core_rate, double gain, const lab::Accelerator& gpu) {
  const double rate = core_rate * gain * measured.job.threads / (measured.job.threads + kHalfFullThreads);
  return gpu.latency * (2 + measured.job.calls) + measured.job.bytes / gpu.to_device + measured.steps / rate;
}

ProfileGroup group_of(const Application& application, const std::string& device_class) {
  ProfileGroup group;
  group.codelet = application.name;
  group.device_class = device_class;
  return group;
}

void keep(ProfileGroup& group, const Job& job, double seconds) {
  Features features;
  group.numeric_names.clear();
  for (const auto& [name, value] : job.parameters) {
    group.numeric_names.push_back(name);
    features.add_numeric(value);
  }
  group.samples.push_back({.features = features, .seconds = seconds});
  ++group.offered;
}

void profile(const std::string& file, const std::vector<Application>& applications, unsigned jobs, unsigned seed) {
  const lab::LabMachine machine =
      lab::read_machine(lab::ModelFile(lab::find_model(STARPATH_LAB_MODELS, "machine", "anthill")));
  const lab::Accelerator& gpu = machine.accelerators.at(0);
  ProfileStore store(file, ProfileStore::Open::create);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (const Application& application : applications) {
    std::vector<Measured> all;
    double steps = 0, seconds = 0;
    for (unsigned i = 0; i < jobs; ++i) {
      Measured measured{application.draw(random), 0, 0};
      measured.seconds = core_seconds(measured.job, measured.steps);
      measured.job.run = nullptr;  // its data
      steps += measured.steps;
      seconds += measured.seconds;
      all.push_back(std::move(measured));
    }
    ProfileGroup groups[] = {group_of(application, "cpu"), group_of(application, "modelled " + gpu.model)};
    for (const Measured& measured : all) {
      keep(groups[0], measured.job, measured.seconds);
      keep(groups[1], measured.job,
           gpu_seconds(measured, steps / seconds, application.gain, gpu) * std::exp(normal(random) * kDeviceSpread));
    }
    store.append(groups);
    fmt::print("{}: {} jobs, {:.2f} s on a core\n", application.name, jobs, seconds);
  }
}

}  // namespace
}  // namespace starpath::bench::anthill

int main(int argc, char** argv) {
  CLI::App app(
      "Profiles the applications of anthill-2010 Table 1: times of one core are real, those of a GPU modelled");
  std::string file;
  unsigned jobs = 30, seed = 1;
  app.add_option("--profile", file, "The file of samples to add to")->required();
  app.add_option("--jobs", jobs, "Of each application")->check(CLI::Range(2U, 1000U))->capture_default_str();
  app.add_option("--seed", seed, "Of the jobs' inputs")->capture_default_str();
  bool variants = false;
  app.add_flag("--variants", variants, "Instead of the applications: Black-Scholes with a second parameter");
  CLI11_PARSE(app, argc, argv);
  try {
    using namespace starpath::bench::anthill;
    profile(file, variants ? starpath::bench::anthill::variants() : applications(), jobs, seed);
  } catch (const std::exception& error) {
    fmt::print(stderr, "profile_table_1: {}\n", error.what());
    return 1;
  }
}
