// How far estimates can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "apps/profile/estimate.hpp"
#include "apps/profile/groups.hpp"
#include "apps/terminal.hpp"
#include "estimator/validation.hpp"

namespace starpath::apps {
namespace {

using Json = nlohmann::ordered_json;

/// Table 1 of anthill-2010, in percent.
struct PublishedErrors {
  std::string_view codelet;
  double speedup, cpu_time;
};
constexpr PublishedErrors kTable1[] = {{"black-scholes", 2.53196, 70.5005}, {"n-body", 7.34924, 11.5763},
                                       {"heart", 13.7902, 41.9759},         {"knn", 8.76774, 21.1858},
                                       {"eclat", 11.3244, 102.6155},        {"nbia-component", 7.3812, 30.3574}};

struct Codelet {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
};

std::map<std::string, Codelet> load_all(const std::string& profile) {
  std::map<std::string, Codelet> codelets;
  for (const ProfileGroup& group : open_profile(profile, ProfileStore::Open::existing).load()) {
    Codelet& codelet = codelets[group.codelet];
    const auto id = static_cast<unsigned>(codelet.classes.size());
    codelet.classes.push_back(group.device_class);
    for (const SampleSet::Entry& entry : group.samples)
      codelet.samples.push_back({.features = entry.features, .device_class = id, .seconds = entry.seconds});
  }
  return codelets;
}

Json percent(const std::optional<double>& error) { return error ? Json(*error * 100) : Json(nullptr); }

std::string percent_text(const Json& error) {
  return error.is_null() ? "unknown" : fmt::format("{:.2f} %", error.get<double>());
}

Json errors_of(const std::string& name, const Codelet& codelet, std::size_t k, const std::string& baseline) {
  const auto found = std::ranges::find(codelet.classes, baseline);
  const ValidationSettings settings{
      .folds = 10, .k = k, .baseline = static_cast<unsigned>(found - codelet.classes.begin())};
  const auto errors = cross_validate(codelet.samples, settings);
  std::vector<Sample> of_baseline;
  std::ranges::copy_if(codelet.samples, std::back_inserter(of_baseline),
                       [&](const Sample& sample) { return sample.device_class == settings.baseline; });
  const auto published = std::ranges::find(kTable1, std::string_view(name), &PublishedErrors::codelet);
  const bool is_known = published != std::end(kTable1);
  return {{"codelet", name},
          {"k", k},
          {"classes", codelet.classes},
          {"samples", codelet.samples.size()},
          {"speedup_error_percent", percent(errors.speedup)},
          {"time_error_percent", percent(errors.time)},
          {"baseline_time_error_percent", percent(cross_validate(of_baseline, settings).time)},
          {"anthill_2010_speedup_error_percent", is_known ? Json(published->speedup) : Json(nullptr)},
          {"anthill_2010_cpu_time_error_percent", is_known ? Json(published->cpu_time) : Json(nullptr)}};
}

/// A row a codelet and k.
Json validate(const EstimateArguments& arguments) {
  const auto codelets = load_all(arguments.profile);
  if (!arguments.codelet.empty() && !codelets.contains(arguments.codelet))
    load_codelet(arguments.profile, arguments.codelet);  // says which there are
  const auto [first, last] = range_of_k(arguments.k);
  Json rows = Json::array();
  for (std::size_t k = first; k <= last; ++k)
    for (const auto& [name, codelet] : codelets)
      if (arguments.codelet.empty() || name == arguments.codelet)
        rows.push_back(errors_of(name, codelet, k, arguments.baseline));
  return rows;
}

}  // namespace

void print_cross_validation(const EstimateArguments& arguments) {
  const Json rows = validate(arguments);
  if (arguments.json) return write_json(rows, 2);
  const auto published = [](const Json& row, const char* key) {
    return row[key].is_null() ? "" : fmt::format(" ({:.1f})", row[key].get<double>());
  };
  print_out(
      "10-fold cross-validation: mean error of what is estimated for inputs that were not seen\n\n"
      "{:<28} {:>3} {:>8} {:>22} {:>12} {:>22}\n",
      "codelet", "k", "samples", "speedup error", "time error", arguments.baseline + " time error");
  bool any_published = false;
  for (const Json& row : rows) {
    any_published |= !row["anthill_2010_speedup_error_percent"].is_null();
    print_out("{:<28} {:>3} {:>8} {:>22} {:>12} {:>22}\n", row["codelet"].get<std::string>(),
              row["k"].get<std::size_t>(), row["samples"].get<std::size_t>(),
              percent_text(row["speedup_error_percent"]) + published(row, "anthill_2010_speedup_error_percent"),
              percent_text(row["time_error_percent"]),
              percent_text(row["baseline_time_error_percent"]) + published(row, "anthill_2010_cpu_time_error_percent"));
  }
  if (any_published)
    print_out("\nIn brackets: Table 1 of anthill-2010 (k = 2, other machines, inputs and programs).\n");
}

}  // namespace starpath::apps
