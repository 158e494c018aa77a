// Text and JSON of a comparison.
#include "comparison/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/words.hpp"

namespace starpath {
namespace {

std::size_t width_of(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, name.size());
  return least;
}

std::vector<std::string> policy_names(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const PolicyFacts& facts : comparison.policies) names.push_back(facts.policy);
  return names;
}

std::string makespans_text(const Comparison& comparison) {
  const std::size_t width = width_of(policy_names(comparison), 6);
  std::string text = fmt::format("{:<{}} {:>10} {:>9} {:>9} {:>7} {:>10} ", "policy", width, "makespan s", "min", "max",
                                 "/bound", "moved MB");
  for (const std::string& name : comparison.classes) text += fmt::format(" idle {}", name);
  text += '\n';
  for (const PolicyFacts& facts : comparison.policies) {
    text += fmt::format("{:<{}} ", facts.policy, width);
    if (!facts.known()) {
      text += fmt::format("FAILED: {}\n", facts.failures.front());
      continue;
    }
    text += fmt::format("{:>10.3f} {:>9.3f} {:>9.3f} {:>7.3f} {:>10.1f} ", facts.median, facts.least, facts.most,
                        facts.median / comparison.bound, facts.moved_bytes * 1e-6);
    for (std::size_t c = 0; c < comparison.classes.size(); ++c)
      text += fmt::format(" {:>{}}", fmt::format("{:.1f} %", 100 * facts.idle[c]), comparison.classes[c].size() + 5);
    if (!facts.failures.empty())
      text += fmt::format("  {} FAILED: {}", plural(std::ssize(facts.failures), "run"), facts.failures.front());
    text += '\n';
  }
  return text;
}

/// Rows are stages, columns policies. With two classes the second one's share says both.
std::string shares_text(const Comparison& comparison) {
  if (comparison.classes.size() < 2) return "One class of workers: every codelet ran there.\n";
  const std::size_t width = width_of(comparison.stages, 5);
  std::string text;
  for (std::size_t c = comparison.classes.size() == 2 ? 1 : 0; c < comparison.classes.size(); ++c) {
    text += fmt::format("\nshare of each codelet's tasks on {}, %\n{:<{}}", comparison.classes[c], "", width);
    for (const PolicyFacts& facts : comparison.policies)
      text += fmt::format(" {:>{}}", facts.policy, std::max<std::size_t>(5, facts.policy.size()));
    text += '\n';
    for (std::size_t s = 0; s < comparison.stages.size(); ++s) {
      text += fmt::format("{:<{}}", comparison.stages[s], width);
      for (const PolicyFacts& facts : comparison.policies) {
        const double share = share_of(facts, s, c);
        text += fmt::format(" {:>{}}", std::isnan(share) ? "-" : fmt::format("{:.1f}", share),
                            std::max<std::size_t>(5, facts.policy.size()));
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::string protocol_of(const CompareSubject& subject) {
  return fmt::format("{} of each policy, in turns, after {}", plural(subject.repetitions, "run"),
                     plural(subject.calibrations, "calibration run"));
}

std::string workers_of(const Comparison& comparison) {
  std::string text;
  for (std::size_t c = 0; c < comparison.classes.size(); ++c)
    text += fmt::format("{}{}: {}", c == 0 ? "" : "; ", comparison.classes[c], plural(comparison.workers[c], "worker"));
  return text;
}

double share_of(const PolicyFacts& facts, std::size_t stage, std::size_t device_class) {
  const auto& row = facts.ran[stage];
  const std::uint64_t sum = std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  return sum == 0 ? NAN : 100 * static_cast<double>(row[device_class]) / static_cast<double>(sum);
}

std::string text_of(const Comparison& comparison, const CompareSubject& subject) {
  std::string text = fmt::format("{}: {}\n", subject.command, protocol_of(subject));
  if (!comparison.classes.empty())
    text += fmt::format("{}; area bound {:.3f} s, from measured times\n\n", workers_of(comparison), comparison.bound);
  text += makespans_text(comparison);
  if (!comparison.classes.empty()) text += shares_text(comparison);
  return text;
}

nlohmann::json json_of(const Comparison& comparison, const CompareSubject& subject) {
  nlohmann::json out = {{"version", 1},
                        {"command", subject.command},
                        {"machine", subject.machine},
                        {"starpath", subject.version},
                        {"date", subject.date},
                        {"repetitions", subject.repetitions},
                        {"calibrations", subject.calibrations},
                        {"classes", comparison.classes},
                        {"workers", comparison.workers},
                        {"stages", comparison.stages},
                        {"bound", comparison.bound},
                        {"policies", nlohmann::json::array()}};
  for (const PolicyFacts& facts : comparison.policies) {
    nlohmann::json policy = {{"policy", facts.policy}, {"makespans", facts.makespans}, {"failures", facts.failures}};
    if (facts.known())
      policy.update({{"median", facts.median},
                     {"min", facts.least},
                     {"max", facts.most},
                     {"ratio", facts.median / comparison.bound},
                     {"idle", facts.idle},
                     {"ran", facts.ran},
                     {"seconds", facts.seconds},
                     {"moved_bytes", facts.moved_bytes}});
    out["policies"].push_back(policy);
  }
  return out;
}

}  // namespace starpath
