// Time lines as runs of columns of one colour.
#include "apps/compare/gantt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/compare/html.hpp"

namespace starpath::apps {
namespace {

constexpr int kLeft = 150, kWidth = 1000, kRow = 16, kGap = 2, kAxis = 18;

/// Adds a rectangle a run of equal columns to the path of its stage.
void draw(const std::vector<int>& line, int y, std::map<int, std::string>& paths) {
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
    while (end < line.size() && line[end] == line[begin]) ++end;
    if (line[begin] < 0) continue;
    paths[line[begin]] +=
        fmt::format("M{} {}h{}v{}h-{}z", kLeft + static_cast<int>(begin), y, end - begin, kRow - kGap, end - begin);
  }
}

std::string axis(double seconds, int height) {
  std::string text;
  const double step = nice_step(seconds);
  for (int i = 0; i * step <= seconds * (1 + 1e-9); ++i) {
    const double x = kLeft + kWidth * i * step / seconds;
    text += fmt::format(
        "<path class=\"tick\" d=\"M{0:.1f} 0V{1}\"/><text class=\"axis\" x=\"{0:.1f}\" y=\"{2}\">{3:g} s</text>", x,
        height, height + kAxis - 5, i * step);
  }
  return text;
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

std::string gantt_svg(const RunRecord& record, const std::vector<std::string>& stages, double seconds, double mark) {
  std::map<int, std::string> paths;
  std::string labels;
  int y = 0;
  for (const WorkerClass& own : record.classes)
    for (const int worker : own.workers) {
      std::vector<int> line = time_line(record, worker, seconds, kWidth);
      for (int& stage : line)
        if (stage >= 0)
          stage = static_cast<int>(std::ranges::find(stages, record.stages[static_cast<std::size_t>(stage)]) -
                                   stages.begin());
      draw(line, y, paths);
      const std::string label = fmt::format("{} {}", worker, own.name);
      labels += fmt::format("<text class=\"worker\" x=\"{}\" y=\"{}\">{}</text>", kLeft - 6, y + kRow - 5,
                            escaped(label.size() > 24 ? label.substr(0, 23) + "…" : label));
      y += kRow;
    }
  const auto x_of = [&](double time) { return kLeft + kWidth * time / seconds; };
  std::string body = fmt::format("<rect class=\"idle\" x=\"{}\" width=\"{:.1f}\" height=\"{}\"/>", kLeft,
                                 x_of(record.makespan) - kLeft, y) +
                     axis(seconds, y);
  for (const auto& [stage, path] : paths)
    body += fmt::format("<path class=\"s{}\" d=\"{}\"><title>{}</title></path>", stage % 20, path,
                        escaped(stages[static_cast<std::size_t>(stage)]));
  if (mark > 0 && mark <= seconds)
    body +=
        fmt::format("<path class=\"mark\" d=\"M{0:.1f} 0V{1}\"><title>area bound</title></path>", x_of(mark), y + 4);
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">{}{}</svg>", kLeft + kWidth + 30, y + kAxis, labels,
                     body);
}

}  // namespace starpath::apps
