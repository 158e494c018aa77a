// Estimates of one task.
#include "apps/profile/estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/profile/groups.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "base/pure/parse_number.hpp"
#include "estimator/store/profile_use.hpp"

namespace starpath::apps {
namespace {

using Json = nlohmann::ordered_json;

std::string known_names(const std::vector<std::string>& numeric, const std::vector<std::string>& categorical) {
  std::vector<std::string> all = numeric;
  all.insert(all.end(), categorical.begin(), categorical.end());
  return all.empty() ? "no parameters" : fmt::format("{}", fmt::join(all, ", "));
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The features that key=value arguments stand for, by the names that the samples have.
Features features_of(const std::vector<ProfileGroup>& groups, const EstimateArguments& arguments) {
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
  for (const std::string& pair : arguments.values) {
    const std::size_t at = std::min(pair.find('='), pair.size());
    const std::string name = pair.substr(0, at), text = pair.substr(std::min(at + 1, pair.size()));
    const auto refuse = [&](const char* expected) {
      return Error(ErrorKind::usage, fmt::format("'{}': expected NAME={}; codelet '{}' has {}", pair, expected,
                                                 arguments.codelet, known_names(numeric, categorical)));
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
      throw Error(ErrorKind::usage, fmt::format("{}=NUMBER is missing; codelet '{}' has {}", name, arguments.codelet,
                                                known_names(numeric, categorical)));
    features.add_numeric(given[name]);
  }
  for (const std::string& name : categorical) features.add_categorical(categories[name]);
  return features;
}

std::string number_text(const Json& number, fmt::format_string<double> format) {
  return number.is_null() ? "unknown" : fmt::format(format, number.get<double>());
}

}  // namespace

void print_estimates(const EstimateArguments& arguments) {
  const auto groups = load_codelet(arguments.profile, arguments.codelet);
  const Features features = features_of(groups, arguments);
  std::vector<std::string> classes;
  for (const ProfileGroup& group : groups) classes.push_back(group.device_class);
  KnnEstimator knn({.k = range_of_k(arguments.k).second});
  teach(knn, groups, classes);
  const auto baseline = static_cast<unsigned>(std::ranges::find(classes, arguments.baseline) - classes.begin());
  Json out = Json::array();
  for (unsigned id = 0; id < classes.size(); ++id) {
    const auto seconds = knn.seconds(0, id, features);
    const auto speedup = knn.speedup(0, baseline, id, features);
    out.push_back({{"class", classes[id]},
                   {"seconds", seconds ? Json(*seconds) : Json(nullptr)},
                   {"speedup", speedup ? Json(*speedup) : Json(nullptr)},
                   {"samples", knn.samples(0, id)}});
  }
  if (arguments.json) return write_json(out, 2);
  print_out("{:<28} {:>12} {:>9} {:>8}\n", "class", "seconds", "speedup", "samples");
  for (const Json& row : out)
    print_out("{:<28} {:>12} {:>9} {:>8}\n", row["class"].get<std::string>(), number_text(row["seconds"], "{:.6g}"),
              number_text(row["speedup"], "{:.2f}"), row["samples"].get<std::size_t>());
  if (baseline == classes.size())
    print_out("No samples on '{}', so no speedups over it; --baseline names another class.\n", arguments.baseline);
}

}  // namespace starpath::apps
