// Results of simulated nodes as JSON and as tables.
#include "apps/lab/nodes/nodes_results.hpp"

#include <algorithm>

#include "apps/cli/terminal.hpp"

namespace starpath::apps {
namespace {

using nlohmann::json;

/// What one core of a node of the first group would take.
double core_seconds(const lab::NodesWork& work) {
  double sum = 0;
  for (const lab::WorkTask& task : work.tasks.front().tasks) sum += task.seconds[0];
  return sum;
}

double tail_of(const NodesRun& run) { return 1 - run.study.first_idle / run.result.makespan; }

void print_study(const std::vector<NodesRun>& runs, const NodesStudy& study) {
  const auto [least, most] = std::ranges::minmax(study.slides);
  print_out("{} slides of {} to {} tiles; no schedule takes less than {:.1f} s\n", study.slides.size(), least, most,
            study.bound);
  print_out("{:<8} {:>6} {:<13} {:>11} {:>7} {:>19}\n", "policy", "window", "handed out", "over bound", "tail %",
            "last slide alone %");
  for (const NodesRun& run : runs)
    print_out("{:<8} {:>6} {:<13} {:>11.3f} {:>7.1f} {:>19.1f}\n", run.policy, run.window, run.hand_out,
              run.result.makespan / study.bound, 100 * tail_of(run),
              100 * (1 - run.study.last_but_one_slide / run.result.makespan));
}

void print_table(const std::vector<NodesRun>& runs, const lab::NodesModel& all_nodes, const lab::NodesWork& work) {
  print_out("{} on {} nodes of {}: {} tiles, {} tasks, {:.1f} s on one core\n", work.tasks.front().name,
            all_nodes.count(), all_nodes.name, work.tiles(), work.tasks.front().tasks.size(), core_seconds(work));
  print_out("{:<8} {:>6} {:>11} {:>9} {:>9} {:>8} {:>9}  idle share\n", "policy", "window", "makespan s", "tiles/s",
            "sent GB", "read GB", "messages");
  const auto names = all_nodes.class_names();
  for (const NodesRun& run : runs) {
    const lab::NodesResult& result = run.result;
    print_out("{:<8} {:>6} {:>11.4f} {:>9.1f} {:>9.3f} {:>8.1f} {:>9} ", run.policy, run.window, result.makespan,
              work.tiles() / result.makespan, result.sent_bytes * 1e-9, result.read_bytes * 1e-9, result.messages);
    for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) {
      const auto workers = all_nodes.machine_of(group).workers();
      for (std::size_t c = 0; c < workers.size(); ++c)
        if (workers[c] * all_nodes.groups[group].count > 0)
          print_out(" {}: {} {:.0f} %", all_nodes.groups[group].name, names[c],
                    100 * (1 - result.busy[group][c] / (result.makespan * workers[c] * all_nodes.groups[group].count)));
    }
    print_out("\n");
  }
}

}  // namespace

json nodes_results_as_json(const std::vector<NodesRun>& runs, const lab::NodesModel& all_nodes, const NodesStudy& study,
                           const std::string& engine, bool traced) {
  const lab::NodesWork& work = study.work;
  json groups = json::array(), out_runs = json::array();
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group)
    groups.push_back({{"name", all_nodes.groups[group].name},
                      {"nodes", all_nodes.groups[group].count},
                      {"workers", all_nodes.machine_of(group).workers()}});
  for (const NodesRun& run : runs) {
    const lab::NodesResult& result = run.result;
    json entry = {{"policy", run.policy},
                  {"window", run.window},
                  {"makespan", result.makespan},
                  {"ran", result.ran},
                  {"busy", result.busy},
                  {"tiles_of_node", result.tiles_of_node},
                  {"sent_bytes", result.sent_bytes},
                  {"read_bytes", result.read_bytes},
                  {"messages", result.messages},
                  {"events", result.events},
                  {"wall_seconds", run.wall_seconds}};
    if (!study.slides.empty())
      entry["study"] = {{"hand_out", run.hand_out},
                        {"over_bound", run.result.makespan / study.bound},
                        {"tail", tail_of(run)},
                        {"last_slide_alone", 1 - run.study.last_but_one_slide / run.result.makespan}};
    if (traced) entry["trace"] = run.trace;
    out_runs.push_back(entry);
  }
  json slides = study.slides.empty() ? json(nullptr) : json{{"tiles", study.slides}, {"bound", study.bound}};
  return {{"cluster", all_nodes.name},
          {"slides", slides},
          {"engine", engine},
          {"workload", work.tasks.front().name},
          {"tiles", work.tiles()},
          {"tasks", work.tasks.front().tasks.size()},
          {"core_seconds", core_seconds(work)},
          {"classes", all_nodes.class_names()},
          {"kinds", work.tasks.front().kinds},
          {"groups", groups},
          {"runs", out_runs}};
}

void print_nodes_results(const std::vector<NodesRun>& runs, const lab::NodesModel& all_nodes, const NodesStudy& study) {
  print_table(runs, all_nodes, study.work);
  if (!study.slides.empty()) print_study(runs, study);
}

}  // namespace starpath::apps
