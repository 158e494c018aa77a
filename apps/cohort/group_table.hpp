// Branches of patients beside the groups that the list gives them. Pure.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/study/cohort.hpp"
#include "statistics/permutation_test.hpp"

namespace starpath::apps {

struct GroupTable {
  std::vector<std::string> groups;                // in order of their names; empty: no patient of a branch has any
  std::vector<std::vector<std::int64_t>> counts;  // patients, by group and branch
  std::optional<PermutationTest> test;            // of their independence; none where it could show nothing
  std::string verdict;                            // what the test says, or why there is none, one sentence
  std::string warning;                            // where groups are small; empty: none
};

/// A p above it is no finding.
inline constexpr double kLevel = 0.05;
/// With fewer in a group, one unusual patient decides.
inline constexpr std::int64_t kFewInGroup = 5;

/// Patients with a branch, of which there are `branches`, and a group. Where even the clearest table with these sums
/// would have p above kLevel, no p is told.
GroupTable group_table(const std::vector<io::StudyPatient>& patients, std::size_t branches, std::int64_t permutations,
                       std::uint64_t seed);

nlohmann::json to_json(const GroupTable& table);

}  // namespace starpath::apps
