// `starpath-lab --network`: a workload on several simulated nodes under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "apps/lab/nodes/nodes_arguments.hpp"
#include "base/error.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/nodes/simulate.hpp"

namespace starpath::apps {
namespace {

void list() {
  for (const char* kind : {"network", "machine", "workload"})
    print_out("{}s: {}\n", kind, fmt::join(lab::model_names(lab::model_folder(), kind), ", "));
  print_out("policies of nodes: {}\npolicies of streams: {}\n", fmt::join(lab::node_policies(), ", "),
            fmt::join(lab::stream_policies(), ", "));
}

void print_study(const lab::NodesExperiment& study) {
  const auto [least, most] = std::ranges::minmax(study.slides);
  print_out("{} slides of {} to {} tiles; no schedule takes less than {:.1f} s\n", study.slides.size(), least, most,
            study.bound);
  print_out("{:<8} {:>6} {:<13} {:>11} {:>7} {:>19}\n", "policy", "window", "handed out", "over bound", "tail %",
            "last slide alone %");
  for (const lab::NodesRun& run : study.runs)
    print_out("{:<8} {:>6} {:<13} {:>11.3f} {:>7.1f} {:>19.1f}\n", run.policy, run.window, run.hand_out,
              run.result.makespan / study.bound, 100 * run.tail(), 100 * run.last_slide_alone());
}

void print_table(const lab::NodesExperiment& experiment) {
  const lab::NodesModel& all_nodes = experiment.nodes;
  const lab::NodesWork& work = experiment.work;
  print_out("{} on {} nodes of {}: {} tiles, {} tasks, {:.1f} s on one core\n", work.tasks.front().name,
            all_nodes.count(), all_nodes.name, work.tiles(), work.tasks.front().tasks.size(),
            experiment.core_seconds());
  print_out("{:<8} {:>6} {:>11} {:>9} {:>9} {:>8} {:>9}  idle share\n", "policy", "window", "makespan s", "tiles/s",
            "sent GB", "read GB", "messages");
  const auto names = all_nodes.class_names();
  for (const lab::NodesRun& run : experiment.runs) {
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

void run(const lab::NodesRequest& request) {
  if (request.list) return list();
  if (request.network.empty() || request.workload.empty() || request.policies.empty())
    throw Error(ErrorKind::usage, "--network, --workload and --policy are needed; see --help");
  const lab::NodesExperiment found = lab::run_nodes(request);
  if (request.as_json) return write_json(to_json(found, request));
  print_table(found);
  if (!found.slides.empty()) print_study(found);
}

}  // namespace

int lab_nodes_command(int argc, char** argv) {
  CLI::App app{"Runs workloads on several simulated nodes under scheduling policies", "starpath-lab"};
  lab::NodesRequest request;
  add_nodes_options(app, request);
  try {
    app.parse(argc, argv);
    run(request);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  }
}

}  // namespace starpath::apps
