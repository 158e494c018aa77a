// A comparison as a page for browsers. Pure.
#pragma once
#include <string>
#include <vector>

#include "comparison/report.hpp"
#include "comparison/summary.hpp"

namespace starpath::pages {

/// One HTML file that needs no other and no network: page/report.html with its style, its script and its data inlined.
/// It shows tables, bars of who ran what and of each class's time, and a Gantt chart of each policy's median run.
/// `runs` are those that `comparison` was made from. A name that is no UTF-8 is shown with replacement characters.
///
/// The data are one JSON object. `report` is what --json prints; `protocol` and `workers` are sentences. `time_lines`
/// has the `seconds` that its `columns` stand for, the `step` between marks of the axis, and `policies`. Each of these
/// has `policy`, `makespan` and `rows` (pages/comparison/time_lines.hpp).
std::string page_of(const Comparison& comparison, const CompareSubject& subject, const std::vector<ComparedRun>& runs);

}  // namespace starpath::pages
