// Estimates of a workload's tasks.
#include "lab/estimates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "base/pure/random.hpp"
#include "estimator/knn.hpp"

namespace starpath::lab {
namespace {

using Table = std::vector<std::vector<double>>;

constexpr std::uint64_t kProfilingSeed = 0x70726f66696c65;  // no seed of a measured run is likely to be it
constexpr double kProfiledGroups = 256;
constexpr double kHighestSigma = 5;  // one estimate in three is then wrong by a factor of 150 or more

Table truth(const Workload& workload) {
  Table table;
  for (const WorkTask& task : workload.tasks) table.push_back(task.seconds);
  return table;
}

double megabytes(const Workload& workload, const WorkTask& task) {
  double sum = 0;
  for (const Access& access : task.data) sum += workload.data[access.data].bytes * 1e-6;
  return sum;
}

/// Part of the workload, with data of its own, as a user would profile beforehand.
Workload profiling_run(WorkloadModel model, const LabMachine& machine, std::uint64_t seed) {
  for (const char* size : {"tiles", "tasks", "chains"}) {
    const auto found = model.parameters.find(size);
    if (found != model.parameters.end()) found->second = std::min(found->second, 4 * kProfiledGroups);
  }
  return make_workload(model, machine, seed ^ kProfilingSeed);
}

Table knn(const Workload& workload, const Workload& profile) {
  KnnEstimator estimator;
  for (const WorkTask& task : profile.tasks) {
    const unsigned codelet = estimator.codelet(profile.codelets[task.codelet]);
    for (unsigned c = 0; c < task.seconds.size(); ++c)
      estimator.learn(codelet, {.features = features_of(task), .device_class = c, .seconds = task.seconds[c]});
  }
  Table table = truth(workload);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto codelet = estimator.find(workload.codelets[workload.tasks[i].codelet]);
    for (unsigned c = 0; c < table[i].size(); ++c) {
      if (!std::isfinite(table[i][c])) continue;
      const auto estimate = codelet ? estimator.seconds(*codelet, c, features_of(workload.tasks[i])) : std::nullopt;
      table[i][c] = estimate.value_or(NAN);
    }
  }
  return table;
}

Table history(const Workload& workload, const Workload& profile) {
  struct Mean {
    double sum = 0;
    unsigned count = 0;
  };
  std::map<std::tuple<std::string, double, std::size_t>, Mean> means;
  for (const WorkTask& task : profile.tasks)
    for (std::size_t c = 0; c < task.seconds.size(); ++c) {
      Mean& mean = means[{profile.codelets[task.codelet], megabytes(profile, task), c}];
      mean.sum += task.seconds[c];
      ++mean.count;
    }
  Table table = truth(workload);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const WorkTask& task = workload.tasks[i];
    for (std::size_t c = 0; c < table[i].size(); ++c) {
      if (!std::isfinite(table[i][c])) continue;
      const auto found = means.find({workload.codelets[task.codelet], megabytes(workload, task), c});
      table[i][c] = found == means.end() ? NAN : found->second.sum / found->second.count;
    }
  }
  return table;
}

Table with_errors(Table table, double amount, std::uint64_t seed) {
  SplitMix64 random(seed ^ 0x6572726f72);
  for (auto& row : table)
    for (double& seconds : row) {
      const double factor = random.uniform() < 0.5 ? 1 + amount : 1 - amount;
      seconds = std::max(kShortestEstimate, seconds * factor);
    }
  return table;
}

Table with_lognormal_errors(Table table, double sigma, std::uint64_t seed) {
  SplitMix64 random(seed ^ 0x7369676d61);
  for (auto& row : table)
    for (double& seconds : row) seconds = std::max(kShortestEstimate, seconds * random.lognormal(sigma));
  return table;
}

/// Mean speedup of each kind of task on the first class of accelerators; a kind that runs on cores only has none.
std::vector<double> kind_speedups(const Workload& workload) {
  std::vector<double> core(workload.kinds.size()), device(workload.kinds.size());
  for (const WorkTask& task : workload.tasks) {
    if (task.seconds.size() < 2 || !std::isfinite(task.seconds[1])) continue;
    core[task.kind] += task.seconds[0];
    device[task.kind] += task.seconds[1];
  }
  std::vector<double> speedups(workload.kinds.size(), NAN);
  for (std::size_t k = 0; k < speedups.size(); ++k)
    if (device[k] > 0) speedups[k] = core[k] / device[k];
  return speedups;
}

/// The paper names the four operations that its CPUs mostly run. They gain least, and are about a third of its twelve.
Table confounded(const Workload& workload, double amount) {
  const std::vector<double> speedups = kind_speedups(workload);
  std::vector<double> sorted;
  std::ranges::copy_if(speedups, std::back_inserter(sorted), [](double value) { return std::isfinite(value); });
  std::ranges::sort(sorted);
  const double limit = sorted.empty() ? 0 : sorted[std::min<std::size_t>(3, sorted.size() - 1)];
  Table table = truth(workload);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double speedup = speedups[workload.tasks[i].kind];
    if (!std::isfinite(speedup)) continue;
    const double factor = speedup <= limit ? 1 + amount : std::max(1e-3, 1 - amount);
    for (std::size_t c = 1; c < table[i].size(); ++c) table[i][c] /= factor;
  }
  return table;
}

}  // namespace

Features features_of(const WorkTask& task) {
  Features features;
  for (const double value : task.parameters) features.add_numeric(value);
  return features;
}

EstimatorChoice parse_estimator(const std::string& text) {
  using Kind = EstimatorChoice::Kind;
  if (text == "exact") return {Kind::exact, 0};
  if (text == "knn") return {Kind::knn, 0};
  if (text == "history") return {Kind::history, 0};
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if ((name == "error" || name == "sigma" || name == "confound") && colon != std::string::npos) {
    double amount = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + colon + 1, end, amount);
    const bool number = problem == std::errc() && stop == end;
    if (number && name == "sigma" && amount >= 0 && amount <= kHighestSigma) return {Kind::sigma, amount};
    if (number && name != "sigma" && amount >= 0 && amount <= 100)
      return {name == "error" ? Kind::error : Kind::confound, amount / 100};
  }
  throw Error(ErrorKind::usage,
              fmt::format("estimator '{}': expected exact, knn, history, error:PERCENT or confound:PERCENT with 0 to "
                          "100 percent, or sigma:NUMBER with 0 to {}",
                          text, kHighestSigma));
}

Table make_estimates(const EstimatorChoice& choice, const Workload& workload, const WorkloadModel& model,
                     const LabMachine& machine, std::uint64_t seed) {
  using Kind = EstimatorChoice::Kind;
  switch (choice.kind) {
    case Kind::exact:
      return truth(workload);
    case Kind::knn:
      return knn(workload, profiling_run(model, machine, seed));
    case Kind::history:
      return history(workload, profiling_run(model, machine, seed));
    case Kind::error:
      return with_errors(truth(workload), choice.amount, seed);
    case Kind::sigma:
      return with_lognormal_errors(truth(workload), choice.amount, seed);
    case Kind::confound:
      return confounded(workload, choice.amount);
  }
  return {};
}

}  // namespace starpath::lab
