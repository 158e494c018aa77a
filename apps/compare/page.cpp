// HTML of a comparison.
#include "apps/compare/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/compare/gantt.hpp"
#include "apps/compare/html.hpp"

namespace starpath::apps {
namespace {

// Of stages: twenty that stay apart beside each other. Of classes: four more.
constexpr std::array kStageColours = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2",
                                      "#bcbd22", "#17becf", "#7f7f7f", "#aec7e8", "#ffbb78", "#98df8a", "#ff9896",
                                      "#c5b0d5", "#c49c94", "#f7b6d2", "#dbdb8d", "#9edae5", "#525252"};
constexpr std::array kClassColours = {"#4c78a8", "#f58518", "#54a24b", "#b279a2"};

constexpr const char* kStyle = R"css(
body{font:15px/1.45 system-ui,"DejaVu Sans",sans-serif;margin:2em auto;max-width:1180px;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}h3{font-size:1em;margin:1.2em 0 .3em}
table{border-collapse:collapse;margin:.5em 0}th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}td.failed{color:#b00020;text-align:left}
.best{font-weight:bold}.note{color:#555;max-width:60em}.scroll{overflow-x:auto}
svg{width:100%;height:auto;display:block}.bar{height:14px;min-width:70px;display:flex;background:#eee}
.bar i{display:block;height:14px}.wide .bar{width:800px;height:18px}.wide .bar i{height:18px}
.legend span{display:inline-block;margin-right:1.2em}.legend i{display:inline-block;width:12px;height:12px;margin-right:.4em}
.axis{font-size:11px;text-anchor:middle;fill:#555}.worker{font-size:11px;text-anchor:end;fill:#333}
.tick{stroke:#ccc;stroke-width:.6}.mark{stroke:#000;stroke-width:1.5;stroke-dasharray:4 3}.idle{fill:#eee}
)css";

std::string style() {
  std::string text = kStyle;
  for (std::size_t i = 0; i < kStageColours.size(); ++i)
    text += fmt::format(".s{0}{{fill:{1};background:{1}}}", i, kStageColours[i]);
  for (std::size_t i = 0; i < kClassColours.size(); ++i)
    text += fmt::format(".c{0}{{fill:{1};background:{1}}}", i, kClassColours[i]);
  return text;
}

std::string legend(const std::vector<std::string>& names, char kind, std::size_t colours) {
  std::string text = "<p class=\"legend\">";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("<span><i class=\"{}{}\"></i>{}</span>", kind, i % colours, escaped(names[i]));
  return text + "</p>\n";
}

std::string part(char kind, std::size_t number, double percent, const std::string& title) {
  if (!(percent > 0)) return "";
  return fmt::format("<i class=\"{}{}\" style=\"width:{:.2f}%\" title=\"{}\"></i>", kind, number, percent,
                     escaped(title));
}

std::string makespans(const Comparison& comparison) {
  std::string text =
      "<div class=\"scroll\"><table><tr><th>policy</th><th>makespan, s</th><th>min</th><th>max</th><th>over the "
      "bound</th><th>moved, MB</th>";
  for (const std::string& name : comparison.classes) text += fmt::format("<th>idle {}</th>", escaped(name));
  text += "<th>runs</th><th></th></tr>\n";
  double best = HUGE_VAL;
  for (const PolicyFacts& facts : comparison.policies)
    if (facts.known()) best = std::min(best, facts.median);
  for (const PolicyFacts& facts : comparison.policies) {
    text += fmt::format("<tr{}><td>{}</td>", facts.known() && facts.median == best ? " class=\"best\"" : "",
                        escaped(facts.policy));
    if (facts.known()) {
      text += fmt::format("<td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.1f}</td>", facts.median,
                          facts.least, facts.most, facts.median / comparison.bound, facts.moved_bytes * 1e-6);
      for (const double idle : facts.idle) text += fmt::format("<td>{:.1f} %</td>", 100 * idle);
    } else {
      text += fmt::format("<td colspan=\"{}\"></td>", 5 + comparison.classes.size());
    }
    text += fmt::format("<td>{}</td>", facts.makespans.size());
    text += facts.failures.empty() ? "<td></td>"
                                   : fmt::format("<td class=\"failed\">{} failed: {}</td>", facts.failures.size(),
                                                 escaped(facts.failures.front()));
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string gantt_charts(const Comparison& comparison, const std::vector<ComparedRun>& runs) {
  double longest = comparison.bound;
  for (const PolicyFacts& facts : comparison.policies)
    if (facts.known()) longest = std::max(longest, runs[facts.shown].record.makespan);
  std::string text = legend(comparison.stages, 's', kStageColours.size());
  for (const PolicyFacts& facts : comparison.policies) {
    if (!facts.known()) continue;
    const RunRecord& record = runs[facts.shown].record;
    text += fmt::format("<h3>{}: {:.3f} s</h3>\n{}\n", escaped(facts.policy), record.makespan,
                        gantt_svg(record, comparison.stages, longest, comparison.bound));
  }
  return text;
}

std::string class_times(const Comparison& comparison) {
  std::string text = "<div class=\"scroll\"><table class=\"wide\"><tr><th>policy</th><th>class</th><th></th></tr>\n";
  for (const PolicyFacts& facts : comparison.policies) {
    if (!facts.known()) continue;
    double total = 0;
    for (const double own : facts.makespans) total += own;
    for (std::size_t c = 0; c < comparison.classes.size(); ++c) {
      std::string bar;
      for (std::size_t s = 0; s < comparison.stages.size(); ++s) {
        const double percent = 100 * facts.seconds[s][c] / (comparison.workers[c] * total);
        bar += part('s', s % kStageColours.size(), percent, fmt::format("{}: {:.1f} %", comparison.stages[s], percent));
      }
      text += fmt::format("<tr><td>{}</td><td>{}</td><td><div class=\"bar\">{}</div></td></tr>\n",
                          escaped(facts.policy), escaped(comparison.classes[c]), bar);
    }
  }
  return text + "</table></div>\n";
}

std::string who_ran_what(const Comparison& comparison) {
  std::string text = legend(comparison.classes, 'c', kClassColours.size()) +
                     "<div class=\"scroll\"><table><tr><th>codelet</th><th>tasks a run</th>";
  for (const PolicyFacts& facts : comparison.policies)
    if (facts.known()) text += fmt::format("<th>{}</th>", escaped(facts.policy));
  text += "</tr>\n";
  for (std::size_t s = 0; s < comparison.stages.size(); ++s) {
    std::string cells;
    double tasks = 0;
    for (const PolicyFacts& facts : comparison.policies) {
      if (!facts.known()) continue;
      std::string bar;
      tasks = 0;
      for (std::size_t c = 0; c < comparison.classes.size(); ++c) {
        const double percent = share_of(facts, s, c);
        bar += part('c', c % kClassColours.size(), percent,
                    fmt::format("{}: {:.1f} % on {}", comparison.stages[s], percent, comparison.classes[c]));
        tasks += static_cast<double>(facts.ran[s][c]) / static_cast<double>(facts.makespans.size());
      }
      cells += fmt::format("<td><div class=\"bar\">{}</div></td>", bar);
    }
    text += fmt::format("<tr><td>{}</td><td>{:.0f}</td>{}</tr>\n", escaped(comparison.stages[s]), tasks, cells);
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string page_of(const Comparison& comparison, const CompareSubject& subject, const std::vector<ComparedRun>& runs) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Policies compared: {0}</title>\n"
      "<style>{1}</style></head><body>\n<h1>Scheduling policies compared: {0}</h1>\n"
      "<p>{2}. {3}. {4}; {5}; {6}.</p>\n<h2>Makespans</h2>\n",
      escaped(subject.command), style(), escaped(protocol_of(subject)), escaped(workers_of(comparison)),
      escaped(subject.machine), escaped(subject.version), escaped(subject.date));
  text += makespans(comparison);
  if (comparison.classes.empty()) return text + "</body></html>\n";
  text += fmt::format(
      "<p class=\"note\">Median, least and most of the runs that ended well. The area bound is {:.3f} s: no way to "
      "share "
      "the tasks out among the classes is shorter when every task takes as long as its codelet did on average on that "
      "class, over the runs of all policies. It is measured, and knows neither dependencies nor transfers. Idle: the "
      "share "
      "of a class's time in which its workers ran no task.</p>\n",
      comparison.bound);
  text +=
      "<h2>Time lines of the median runs</h2>\n<p class=\"note\">All on one scale; gray is idle, the dashed line is "
      "the area bound.</p>\n" +
      gantt_charts(comparison, runs);
  text += "<h2>What each class did with its time</h2>\n<p class=\"note\">Colours as above; gray is idle.</p>\n" +
          class_times(comparison);
  text +=
      "<h2>Who ran what</h2>\n<p class=\"note\">Share of each codelet's tasks by class; point at a bar for "
      "the number.</p>\n" +
      who_ran_what(comparison);
  return text + "</body></html>\n";
}

}  // namespace starpath::apps
