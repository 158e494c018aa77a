// A comparison as a page for browsers. Pure.
#pragma once
#include <string>
#include <vector>

#include "apps/compare/report.hpp"
#include "apps/compare/summary.hpp"

namespace starpath::apps {

/// One HTML file that needs no other and no network: tables, bars of who ran what and of each class's time, and a Gantt
/// chart of each policy's median run. `runs` are those that `comparison` was made from.
std::string page_of(const Comparison& comparison, const CompareSubject& subject, const std::vector<ComparedRun>& runs);

}  // namespace starpath::apps
