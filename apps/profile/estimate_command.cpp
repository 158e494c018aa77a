// `starpath estimate`: what the estimator says of a task, and how far it can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/profile/parts.hpp"
#include "estimator/store/profile_use.hpp"
#include "estimator/validation.hpp"

namespace starpath::apps {
namespace {

using Json = nlohmann::ordered_json;

struct EstimateArguments {
  std::string profile;
  std::string codelet;
  std::vector<std::string> values;
  std::string k = "2";
  std::string baseline = "cpu";
  bool cross_validate = false;
  bool json = false;
};

std::pair<std::size_t, std::size_t> range_of_k(const std::string& text) {
  std::size_t first = 0;
  std::size_t last = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, first);
  last = first;
  if (error == std::errc() && std::string_view(at, end).starts_with("..")) at = std::from_chars(at + 2, end, last).ptr;
  if (error != std::errc() || at != end || first < 1 || last < first || last > 64)
    throw Error(ErrorKind::usage, fmt::format("--k {}: expected a number or a range like 1..8, from 1 to 64", text));
  return {first, last};
}

std::string known_names(const std::vector<std::string>& numeric, const std::vector<std::string>& categorical) {
  std::vector<std::string> all = numeric;
  all.insert(all.end(), categorical.begin(), categorical.end());
  return all.empty() ? "no parameters" : fmt::format("{}", fmt::join(all, ", "));
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
  for (const std::string& pair : arguments.values) {
    const std::size_t at = pair.find('=');
    const std::string name = pair.substr(0, at);
    const bool known =
        std::ranges::find(numeric, name) != numeric.end() || std::ranges::find(categorical, name) != categorical.end();
    double value = 0;
    const char* end = pair.data() + pair.size();
    const bool read = at != std::string::npos && std::from_chars(pair.data() + at + 1, end, value).ptr == end &&
                      at + 1 < pair.size() && std::isfinite(value);
    if (!known || !read)
      throw Error(ErrorKind::usage, fmt::format("'{}': expected NAME=NUMBER; codelet '{}' has {}", pair,
                                                arguments.codelet, known_names(numeric, categorical)));
    given[name] = value;
  }
  Features features;
  for (const std::string& name : numeric) {
    if (!given.contains(name))
      throw Error(ErrorKind::usage, fmt::format("{}=NUMBER is missing; codelet '{}' has {}", name, arguments.codelet,
                                                known_names(numeric, categorical)));
    features.add_numeric(given[name]);
  }
  for (const std::string& name : categorical) features.add_categorical(static_cast<std::int64_t>(given[name]));
  return features;
}

void estimate(const EstimateArguments& arguments) {
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
  if (arguments.json) return fmt::print("{}\n", out.dump(2));
  fmt::print("{:<28} {:>12} {:>9} {:>8}\n", "class", "seconds", "speedup", "samples");
  for (const Json& row : out)
    fmt::print("{:<28} {:>12.6g} {:>9} {:>8}\n", row["class"].get<std::string>(), row["seconds"].get<double>(),
               row["speedup"].is_null() ? "unknown" : fmt::format("{:.2f}", row["speedup"].get<double>()),
               row["samples"].get<std::size_t>());
  if (baseline == classes.size())
    fmt::print("No samples on '{}', so no speedups over it; --baseline names another class.\n", arguments.baseline);
}

/// Table 1 of anthill-2010, in percent.
struct PublishedErrors {
  std::string_view codelet;
  double speedup, core_time;
};
constexpr PublishedErrors table_1[] = {{"black-scholes", 2.53196, 70.5005}, {"n-body", 7.34924, 11.5763},
                                       {"heart", 13.7902, 41.9759},         {"knn", 8.76774, 21.1858},
                                       {"eclat", 11.3244, 102.6155},        {"nbia-component", 7.3812, 30.3574}};

struct Codelet {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
};

std::map<std::string, Codelet> load_all(const std::string& profile) {
  std::map<std::string, Codelet> codelets;
  for (const ProfileGroup& group : ProfileStore(profile, ProfileStore::Open::existing).load()) {
    Codelet& own = codelets[group.codelet];
    const auto id = static_cast<unsigned>(own.classes.size());
    own.classes.push_back(group.device_class);
    for (const SampleSet::Entry& entry : group.samples)
      own.samples.push_back({.features = entry.features, .device_class = id, .seconds = entry.seconds});
  }
  return codelets;
}

Json percent(const std::optional<double>& error) { return error ? Json(*error * 100) : Json(nullptr); }

std::string percent_text(const Json& error) {
  return error.is_null() ? "unknown" : fmt::format("{:.2f} %", error.get<double>());
}

Json validate(const EstimateArguments& arguments) {
  const auto codelets = load_all(arguments.profile);
  if (!arguments.codelet.empty() && !codelets.contains(arguments.codelet))
    load_codelet(arguments.profile, arguments.codelet);  // says which there are
  const auto [first, last] = range_of_k(arguments.k);
  Json rows = Json::array();
  for (std::size_t k = first; k <= last; ++k) {
    for (const auto& [name, own] : codelets) {
      if (!arguments.codelet.empty() && name != arguments.codelet) continue;
      const auto found = std::ranges::find(own.classes, arguments.baseline);
      const ValidationSettings settings{
          .folds = 10, .k = k, .baseline = static_cast<unsigned>(found - own.classes.begin())};
      const auto errors = cross_validate(own.samples, settings);
      std::vector<Sample> core;
      std::ranges::copy_if(own.samples, std::back_inserter(core),
                           [&](const Sample& sample) { return sample.device_class == settings.baseline; });
      const auto published = std::ranges::find(table_1, std::string_view(name), &PublishedErrors::codelet);
      const bool is_known = published != std::end(table_1);
      rows.push_back({{"codelet", name},
                      {"k", k},
                      {"classes", own.classes},
                      {"samples", own.samples.size()},
                      {"speedup_error_percent", percent(errors.speedup)},
                      {"time_error_percent", percent(errors.time)},
                      {"baseline_time_error_percent", percent(cross_validate(core, settings).time)},
                      {"anthill_2010_speedup_error_percent", is_known ? Json(published->speedup) : Json(nullptr)},
                      {"anthill_2010_cpu_time_error_percent", is_known ? Json(published->core_time) : Json(nullptr)}});
    }
  }
  return rows;
}

void print_validation(const EstimateArguments& arguments) {
  const Json rows = validate(arguments);
  if (arguments.json) return fmt::print("{}\n", rows.dump(2));
  const auto published = [](const Json& row, const char* key) {
    return row[key].is_null() ? "" : fmt::format(" ({:.1f})", row[key].get<double>());
  };
  fmt::print(
      "10-fold cross-validation: mean error of what is estimated for inputs that were not seen\n\n"
      "{:<28} {:>3} {:>8} {:>22} {:>12} {:>22}\n",
      "codelet", "k", "samples", "speedup error", "time error", arguments.baseline + " time error");
  bool any_published = false;
  for (const Json& row : rows) {
    any_published |= !row["anthill_2010_speedup_error_percent"].is_null();
    fmt::print(
        "{:<28} {:>3} {:>8} {:>22} {:>12} {:>22}\n", row["codelet"].get<std::string>(), row["k"].get<std::size_t>(),
        row["samples"].get<std::size_t>(),
        percent_text(row["speedup_error_percent"]) + published(row, "anthill_2010_speedup_error_percent"),
        percent_text(row["time_error_percent"]),
        percent_text(row["baseline_time_error_percent"]) + published(row, "anthill_2010_cpu_time_error_percent"));
  }
  if (any_published)
    fmt::print("\nIn brackets: Table 1 of anthill-2010 (k = 2, other machines, inputs and programs).\n");
}

void run(const EstimateArguments& arguments) {
  if (arguments.cross_validate && !arguments.values.empty())
    throw Error(ErrorKind::usage, "--cross-validate takes no NAME=NUMBER: it asks for every sample there is");
  if (arguments.cross_validate) return print_validation(arguments);
  if (arguments.codelet.empty())
    throw Error(ErrorKind::usage,
                "name a CODELET, or use --cross-validate; `starpath profile list` shows the codelets");
  estimate(arguments);
}

}  // namespace

void add_estimate_command(CLI::App& app) {
  auto arguments = std::make_shared<EstimateArguments>();
  CLI::App* command = app.add_subcommand(
      "estimate", "Estimate a task's time and speedup from a profile, or say how good estimates are");
  command->footer(
      "Examples:\n  starpath estimate blur width=4096 height=4096 --profile my.profile\n"
      "  starpath estimate --cross-validate --k 1..8 --profile my.profile\n\n"
      "The time is the mean of the k nearest samples of each kind of device, the speedup the time on --baseline\n"
      "over it (anthill-2010 section 4). A category that is not given counts as 0.");
  command->add_option("CODELET", arguments->codelet, "Its name, as `starpath profile list` prints it");
  command->add_option("PARAMETERS", arguments->values,
                      "The task's parameters, each NAME=NUMBER, named as `starpath profile show` does");
  command->add_option("--profile", arguments->profile, "The file of samples")->required()->envname("STARPATH_PROFILE");
  command->add_flag("--cross-validate", arguments->cross_validate,
                    "Instead: estimate each sample from the others, and print the mean errors of each codelet");
  command->add_option("--k", arguments->k, "How many nearest samples are averaged; with --cross-validate also 1..8")
      ->capture_default_str();
  command->add_option("--baseline", arguments->baseline, "The class that speedups are relative to")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
