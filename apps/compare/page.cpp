// The page's files and data in one file.
#include "apps/compare/page.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "apps/compare/page_files.hpp"
#include "apps/compare/time_lines.hpp"

namespace starpath::apps {
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

/// JSON inside a script element. Every "<" of it is in a string, and escaped there, so that no name ends the element.
std::string script_text(const nlohmann::json& data) {
  std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

void replace_once(std::string& page, std::string_view mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("the page has no " + std::string(mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string page_of(const Comparison& comparison, const CompareSubject& subject, const std::vector<ComparedRun>& runs) {
  nlohmann::json data = {{"report", json_of(comparison, subject)},
                         {"protocol", protocol_of(subject)},
                         {"workers", workers_of(comparison)}};
  if (!comparison.classes.empty()) data["time_lines"] = time_lines_of(comparison, runs);
  std::string page = kPageHtml;
  replace_once(page, R"(<link rel="stylesheet" href="report.css">)", std::string("<style>\n") + kPageCss + "</style>");
  replace_once(page, R"(id="data">)", R"(id="data">)" + script_text(data));
  replace_once(page, R"(<script src="report.js">)", std::string("<script>\n") + kPageJs);
  return page;
}

}  // namespace starpath::apps
