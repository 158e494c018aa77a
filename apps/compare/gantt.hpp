// One run on a time line, as SVG. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "apps/compare/record.hpp"

namespace starpath::apps {

/// A row a worker, class by class, from 0 to `seconds`. The size of the text is bounded whatever the number of tasks: a
/// thousandth of the width is the shortest time that is drawn, with the colour of the task that fills most of it, or
/// none when it is mostly idle. `stages` are all that have a colour; the run's are found among them by name. `mark` > 0
/// draws a line at that time. Colours are the CSS classes s0 to s19, by stage.
std::string gantt_svg(const RunRecord& record, const std::vector<std::string>& stages, double seconds, double mark);

/// What fills a worker's time best in each of `columns` equal parts of 0 to `seconds`: an index of `stages`, or -1.
std::vector<int> time_line(const RunRecord& record, int worker, double seconds, std::size_t columns);

/// 1, 2 or 5 times a power of ten, so that 4 to 10 steps make `length`. `length` > 0.
double nice_step(double length);

}  // namespace starpath::apps
