// The page's files and data in one file.
#include "pages/comparison/comparison_page.hpp"

#include <algorithm>

#include "pages/comparison/page_files.hpp"
#include "pages/comparison/time_lines.hpp"

namespace starpath::pages {
namespace {

constexpr std::size_t kColumns = 1000;

nlohmann::json time_lines_of(const Comparison& comparison, const std::vector<ComparedRun>& runs) {
  double longest = comparison.bound;
  for (const PolicyFacts& facts : comparison.policies)
    if (facts.known()) longest = std::max(longest, runs[facts.shown].record.makespan);
  nlohmann::json policies = nlohmann::json::array();
  for (const PolicyFacts& facts : comparison.policies) {
    if (!facts.known()) continue;
    const RunRecord& record = runs[facts.shown].record;
    policies.push_back({{"policy", facts.policy},
                        {"makespan", record.makespan},
                        {"rows", time_lines(record, comparison.stages, longest, kColumns)}});
  }
  return {{"seconds", longest}, {"columns", kColumns}, {"step", nice_step(longest)}, {"policies", policies}};
}

}  // namespace

std::string page_of(const Comparison& comparison, const CompareSubject& subject, const std::vector<ComparedRun>& runs) {
  nlohmann::json data = {{"report", json_of(comparison, subject)},
                         {"protocol", protocol_of(subject)},
                         {"workers", workers_of(comparison)}};
  if (!comparison.classes.empty()) data["time_lines"] = time_lines_of(comparison, runs);
  return inline_page(kComparisonPage, "report", data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace starpath::pages
