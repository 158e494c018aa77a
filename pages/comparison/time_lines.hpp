// Time lines of a run in a bounded number of columns, for its Gantt chart. Pure.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "comparison/record.hpp"

namespace starpath::pages {

/// What fills a worker's time best in each of `columns` equal parts of 0 to `seconds`: an index of `record.stages`, or
/// -1 where it is mostly idle.
std::vector<int> time_line(const RunRecord& record, int worker, double seconds, std::size_t columns);

/// A row a worker, class by class: {"worker": "0 cpu", "spans": [[stage, begin, end], ...]}. A span is a range of
/// columns of one stage; idle columns are in none. The run's stages are found by name in `stages`, which the indices
/// refer to. The size is bounded by `columns`, whatever the number of tasks.
nlohmann::json time_lines(const RunRecord& record, const std::vector<std::string>& stages, double seconds,
                          std::size_t columns);

/// 1, 2 or 5 times a power of ten, so that 4 to 10 steps make `length`. `length` > 0.
double nice_step(double length);

}  // namespace starpath::pages
