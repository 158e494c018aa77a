// Scores, tree, cut.
#include "apps/cohort/branches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "apps/run/no_structure.hpp"
#include "apps/run/words.hpp"
#include "base/error.hpp"
#include "statistics/silhouette.hpp"
#include "statistics/standard_scores.hpp"

namespace starpath::apps {
namespace {

constexpr std::size_t kMostAuto = 8;

std::vector<StandardValue> standardise(const std::vector<PatientValue>& values, std::size_t patients,
                                       std::vector<std::string>& notes) {
  std::vector<StandardValue> varying;
  std::vector<std::string> constant;
  std::map<std::size_t, std::vector<std::string>> missing;  // names by how many patients lack it
  for (const PatientValue& value : values) {
    StandardScores found = standard_scores(value.numbers);
    if (!found.varies()) {
      constant.push_back(value.name);
      continue;
    }
    if (found.missing > 0) missing[found.missing].push_back(value.name);
    varying.push_back({value.name, found.mean, found.deviation, std::move(found.scores)});
  }
  if (!constant.empty())
    notes.push_back(fmt::format("left out, as patients do not differ in it: {}", fmt::join(constant, ", ")));
  for (const auto& [count, names] : missing)
    notes.push_back(
        fmt::format("{} of {} patients lack {}: the mean takes its place", count, patients, fmt::join(names, ", ")));
  return varying;
}

/// Each in one row.
std::vector<std::vector<double>> rows_of(const std::vector<StandardValue>& values, std::size_t patients) {
  std::vector<std::vector<double>> rows(patients);
  for (std::size_t p = 0; p < patients; ++p)
    for (const StandardValue& value : values) rows[p].push_back(value.scores[p]);
  return rows;
}

/// Values that go together stand together.
void order_values(std::vector<StandardValue>& values, Linkage linkage) {
  std::vector<std::vector<double>> rows;
  for (const StandardValue& value : values) rows.push_back(value.scores);
  const std::vector<Merge> tree = link(euclidean_distances(rows), linkage);
  std::vector<StandardValue> ordered;
  for (const std::size_t place : leaf_order(values.size(), tree)) ordered.push_back(std::move(values[place]));
  values = std::move(ordered);
}

void choose(const Distances& distances, std::size_t k, Branches& found, std::vector<std::string>& notes) {
  const std::size_t patients = distances.count();
  const std::size_t first = k > 0 ? k : 2, last = k > 0 ? k : std::min(kMostAuto, patients - 1);
  double best = -2;
  for (std::size_t count = first; count <= last; ++count) {
    std::vector<int> branches = cut(patients, found.tree, count);
    const double fit = silhouette(distances, branches, count).mean;
    found.choices.push_back({count, fit});
    if (fit <= best) continue;
    best = fit;
    found.count = count;
    found.of_patient = std::move(branches);
  }
  if (std::string warning = warn_of_no_structure(best, "branches"); !warning.empty())
    notes.push_back(std::move(warning));
}

}  // namespace

Branches find_branches(const std::vector<PatientValue>& values, std::size_t patients, Linkage linkage, std::size_t k,
                       std::vector<std::string>& notes) {
  if (k > patients)
    throw Error(ErrorKind::usage,
                fmt::format("--k {} is more than the {} that {} nuclei", k,
                            plural(static_cast<std::int64_t>(patients), "patient"), patients == 1 ? "has" : "have"));
  Branches found;
  if (patients < kLeastInTree || patients > kMostInTree) {
    notes.push_back(fmt::format("no branches: {} with nuclei, and a tree takes {} to {}",
                                plural(static_cast<std::int64_t>(patients), "patient"), kLeastInTree, kMostInTree));
    return found;
  }
  found.values = standardise(values, patients, notes);
  if (found.values.empty()) {
    notes.emplace_back("no branches: patients differ in no value");
    return found;
  }
  const Distances distances = euclidean_distances(rows_of(found.values, patients));
  found.tree = link(distances, linkage);
  found.order = leaf_order(patients, found.tree);
  choose(distances, k, found, notes);
  order_values(found.values, linkage);
  return found;
}

}  // namespace starpath::apps
