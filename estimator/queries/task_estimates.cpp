// Estimates of one task.
#include "estimator/queries/task_estimates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/pure/parse_number.hpp"
#include "estimator/queries/codelet_groups.hpp"
#include "estimator/store/profile_use.hpp"

namespace starpath {
namespace {

std::string known_names(const std::vector<std::string>& numeric, const std::vector<std::string>& categorical) {
  std::vector<std::string> all = numeric;
  all.insert(all.end(), categorical.begin(), categorical.end());
  return all.empty() ? "no parameters" : fmt::format("{}", fmt::join(all, ", "));
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The features that key=value arguments stand for, by the names that the samples have.
Features features_of(const std::vector<ProfileGroup>& groups, const DescribedTask& task) {
  std::vector<std::string> numeric;
  std::vector<std::string> categorical;
  for (const ProfileGroup& group : groups) {
    for (const SampleSet::Entry& sample : group.samples) {
      while (numeric.size() < sample.features.numeric_count) numeric.push_back(numeric_name(group, numeric.size()));
      while (categorical.size() < sample.features.categorical_count)
        categorical.push_back(categorical_name(group, categorical.size()));
    }
  }
  std::map<std::string, double> given;
  std::map<std::string, std::int64_t> categories;
  for (const std::string& pair : task.values) {
    const std::size_t at = std::min(pair.find('='), pair.size());
    const std::string name = pair.substr(0, at), text = pair.substr(std::min(at + 1, pair.size()));
    const auto refuse = [&](const char* expected) {
      return Error(ErrorKind::usage, fmt::format("'{}': expected NAME={}; codelet '{}' has {}", pair, expected,
                                                 task.codelet, known_names(numeric, categorical)));
    };
    if (holds(categorical, name)) {
      const auto value = parse_number<std::int64_t>(text);
      if (!value) throw refuse("INTEGER");
      categories[name] = *value;
    } else {
      const auto value = parse_number<double>(text);
      if (!holds(numeric, name) || !value || !std::isfinite(*value)) throw refuse("NUMBER");
      given[name] = *value;
    }
  }
  Features features;
  for (const std::string& name : numeric) {
    if (!given.contains(name))
      throw Error(ErrorKind::usage, fmt::format("{}=NUMBER is missing; codelet '{}' has {}", name, task.codelet,
                                                known_names(numeric, categorical)));
    features.add_numeric(given[name]);
  }
  for (const std::string& name : categorical) features.add_categorical(categories[name]);
  return features;
}

}  // namespace

std::vector<ClassEstimate> estimate_task(const std::string& profile, const DescribedTask& task,
                                         const MakeLearner& learner, const std::string& baseline) {
  const auto groups = load_codelet(profile, task.codelet);
  const Features features = features_of(groups, task);
  std::vector<std::string> classes;
  for (const ProfileGroup& group : groups) classes.push_back(group.device_class);
  Estimator estimator(learner);
  teach(estimator, groups, classes);
  const auto base = static_cast<unsigned>(std::ranges::find(classes, baseline) - classes.begin());
  std::vector<ClassEstimate> estimates;
  for (unsigned id = 0; id < classes.size(); ++id) {
    ClassEstimate& estimate = estimates.emplace_back();
    estimate.device_class = classes[id];
    if (const auto found = estimator.estimate(0, id, features)) {
      estimate.seconds = found->seconds;
      if (std::isfinite(found->error)) estimate.error = found->error;
    }
    estimate.speedup = estimator.speedup(0, base, id, features);
    estimate.samples = estimator.samples(0, id);
  }
  return estimates;
}

}  // namespace starpath
