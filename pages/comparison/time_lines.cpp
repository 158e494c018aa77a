// From tasks to columns, and from columns to spans.
#include "pages/comparison/time_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace starpath::pages {
namespace {

/// Where each of a run's stages is among all.
std::vector<std::ptrdiff_t> places_of(const std::vector<std::string>& run, const std::vector<std::string>& all) {
  std::vector<std::ptrdiff_t> places;
  for (const std::string& stage : run) places.push_back(std::ranges::find(all, stage) - all.begin());
  return places;
}

nlohmann::json spans_of(const std::vector<int>& line, const std::vector<std::ptrdiff_t>& places) {
  nlohmann::json spans = nlohmann::json::array();
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
    while (end < line.size() && line[end] == line[begin]) ++end;
    if (line[begin] >= 0) spans.push_back({places[static_cast<std::size_t>(line[begin])], begin, end});
  }
  return spans;
}

}  // namespace

double nice_step(double length) {
  const double power = std::pow(10, std::floor(std::log10(length)));
  for (const double factor : {0.1, 0.2, 0.5, 1.0})
    if (length / (factor * power) <= 10) return factor * power;
  return power;
}

std::vector<int> time_line(const RunRecord& record, int worker, double seconds, std::size_t columns) {
  std::vector<double> filled(columns), most(columns);
  std::vector<int> line(columns, -1);
  const double scale = static_cast<double>(columns) / seconds;
  for (const RecordedTask& task : record.tasks) {
    if (task.worker != worker) continue;
    const double from = std::max(0.0, task.started * scale);
    const double to = std::min(static_cast<double>(columns), task.finished * scale);
    for (auto column = static_cast<std::size_t>(from); static_cast<double>(column) < to; ++column) {
      const auto left = static_cast<double>(column);
      const double part = std::min(to, left + 1) - std::max(from, left);
      filled[column] += part;
      if (part <= most[column]) continue;
      most[column] = part;
      line[column] = static_cast<int>(task.stage);
    }
  }
  for (std::size_t column = 0; column < columns; ++column)
    if (filled[column] < 0.5) line[column] = -1;
  return line;
}

nlohmann::json time_lines(const RunRecord& record, const std::vector<std::string>& stages, double seconds,
                          std::size_t columns) {
  const std::vector<std::ptrdiff_t> places = places_of(record.stages, stages);
  nlohmann::json rows = nlohmann::json::array();
  for (const WorkerClass& group : record.classes)
    for (const int worker : group.workers)
      rows.push_back({{"worker", fmt::format("{} {}", worker, group.name)},
                      {"spans", spans_of(time_line(record, worker, seconds, columns), places)}});
  return rows;
}

}  // namespace starpath::pages
