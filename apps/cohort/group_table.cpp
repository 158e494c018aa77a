// Counts, test, words.
#include "apps/cohort/group_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/run/progress_report.hpp"

namespace starpath::apps {
namespace {

struct Labels {
  std::vector<int> branches, groups;  // of the patients that have both; without gaps
};

Labels labels_of(const std::vector<io::StudyPatient>& patients, const std::vector<std::string>& groups) {
  Labels labels;
  std::map<std::int64_t, int> branch;  // those that are left may have gaps
  for (const io::StudyPatient& patient : patients)
    if (patient.branch > 0 && !patient.group.empty()) branch[patient.branch] = 0;
  int next = 0;
  for (auto& [number, place] : branch) place = next++;
  for (const io::StudyPatient& patient : patients) {
    if (patient.branch == 0 || patient.group.empty()) continue;
    labels.branches.push_back(branch[patient.branch]);
    labels.groups.push_back(static_cast<int>(std::ranges::find(groups, patient.group) - groups.begin()));
  }
  return labels;
}

std::string arrangements_text(const PermutationTest& test, std::uint64_t seed) {
  return test.every ? fmt::format("all {} arrangements", grouped(test.arrangements))
                    : fmt::format("{} drawn arrangements, seed {}", grouped(test.arrangements), seed);
}

void judge(const PermutationTest& test, std::uint64_t seed, GroupTable& table) {
  std::vector<std::int64_t> sizes;
  for (const auto& row : table.counts) {
    sizes.push_back(0);
    for (const std::int64_t count : row) sizes.back() += count;
  }
  if (test.least_p > kLevel) {
    table.verdict = fmt::format("not tested: with groups of {} and these branches no table has p below {:.3g} ({})",
                                fmt::join(sizes, ", "), test.least_p, arrangements_text(test, seed));
    return;
  }
  table.test = test;
  table.verdict =
      fmt::format("{} (p = {:.3g}, chi-square {:.3g}, {}; the clearest table would have {:.3g})",
                  test.p <= kLevel ? "branches and groups go together" : "no sign that branches and groups go together",
                  test.p, test.chi_square, arrangements_text(test, seed), test.least_p);
  if (*std::ranges::min_element(sizes) < kFewInGroup)
    table.warning = fmt::format(
        "the smallest group has {}: only a very large difference can show, and one that shows may be chance or one "
        "unusual patient; repeat it on more",
        *std::ranges::min_element(sizes));
}

}  // namespace

GroupTable group_table(const std::vector<io::StudyPatient>& patients, std::size_t branches, std::int64_t permutations,
                       std::uint64_t seed) {
  GroupTable table;
  std::set<std::string> names;
  for (const io::StudyPatient& patient : patients)
    if (patient.branch > 0 && !patient.group.empty()) names.insert(patient.group);
  table.groups.assign(names.begin(), names.end());
  table.counts.assign(table.groups.size(), std::vector<std::int64_t>(branches));
  for (const io::StudyPatient& patient : patients)
    if (patient.branch > 0 && !patient.group.empty())
      ++table.counts[static_cast<std::size_t>(std::ranges::find(table.groups, patient.group) - table.groups.begin())]
                    [static_cast<std::size_t>(patient.branch - 1)];
  if (table.groups.size() < 2) {
    table.verdict = branches == 0          ? "not tested: there are no branches"
                    : table.groups.empty() ? "not tested: no patient has a group"
                                           : "not tested: all patients are of one group";
    return table;
  }
  const Labels labels = labels_of(patients, table.groups);
  judge(test_independence(labels.branches, labels.groups, permutations, seed), seed, table);
  return table;
}

nlohmann::json to_json(const GroupTable& table) {
  nlohmann::json json = {{"groups", table.groups}, {"patients", table.counts}, {"verdict", table.verdict}};
  if (!table.warning.empty()) json["warning"] = table.warning;
  if (table.test)
    json["test"] = {{"chi_square", table.test->chi_square},
                    {"arrangements", table.test->arrangements},
                    {"every", table.test->every},
                    {"p", table.test->p},
                    {"least_p", table.test->least_p}};
  return json;
}

}  // namespace starpath::apps
