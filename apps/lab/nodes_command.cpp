// `starpath-lab --network`: a workload on several simulated nodes under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/experiments/nodes_experiment.hpp"
#include "lab/nodes/simulate.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"help(Segmentation and other workloads of independent groups run as Manager-Worker: node 0 hands out tiles on demand, each
node holds at most --window of them and runs their tasks under --policy. NBIA runs as streams: every node reads its part of
the tiles, and workers everywhere ask for buffers; --policy is then a stream policy, and --window the requests of a worker
(odds finds its own). The protocols and policies are those of real runs; only time is simulated.

With --slides the tiles are those of a study: so many slides, whose sizes are drawn (--slide-tiles, --seed). They are
handed out whole, as `mpirun starpath segment` over a study does it, or as --hand-out says. The bound is that of the
tasks' areas; the tail is the share of the makespan from the moment at which the first node has finished all its tiles.

A network, machine or workload is a name (--list) or a file; docs/lab.md has the formats.

Examples:
  starpath-lab --network --list
  starpath-lab --network keeneland-100 --workload segmentation --policy fcfs,pats --set tiles=2000 --nodes node=8
  starpath-lab --network anthill-heterogeneous --workload nbia --set recalc_rate=0.08 --policy ddwrr,odds --window 1,8,64
  starpath-lab --network anthill-homogeneous --workload nbia --nodes gpu=1 --workers gpu=1,0 --policy ddfcfs --json
  starpath-lab --network keeneland-100 --nodes node=4 --workload segmentation --set tiles=200 --no-reading \
    --policy pats,fcfs,dmda --engine smpi
  starpath-lab --network keeneland-100 --nodes node=20 --workload segmentation --policy pats --slides 100 \
    --hand-out slides,largest-first,tiles

Exit codes: 0 done; 1 the simulation failed; 2 wrong usage; 3 a bad model file.)help";

void add_nodes_options(CLI::App& app, lab::NodesRequest& request) {
  app.footer(kFooter);
  app.add_option("--network,--cluster", request.network, "Nodes and the network between them: a name or a file")
      ->expected(0, 1);
  app.add_option("--workload", request.workload, "Workload: a name or a file");
  app.add_option("--policy", request.policies, "Policies (--list); repeat for several, or separate by commas")
      ->delimiter(',');
  app.add_option(
         "--window", request.windows,
         "Tiles a node holds (default: 3 a worker of the largest node); streams: requests of a worker (default: "
         "4). Several are tried in turn")
      ->delimiter(',');
  app.add_option("--nodes", request.nodes, "GROUP=COUNT: so many nodes instead of the file's; 0 leaves the group out");
  app.add_option(
      "--workers", request.workers,
      "GROUP=COUNT,COUNT,...: workers by class of the group's machine, such as node=0,3 for three GPUs alone");
  app.add_option("--set", request.set, "NAME=NUMBER: a parameter of the workload, such as tiles=100");
  app.add_option("--estimator", request.estimator,
                 "exact, knn, history, error:PERCENT, sigma:NUMBER or confound:PERCENT")
      ->default_val("knn");
  app.add_option("--seed", request.seed, "Of the data")->capture_default_str();
  app.add_option(
         "--engine", request.engine,
         "events: discrete events, seconds for 100 nodes; smpi: a StarPU with the policy's plug-in on each node, in "
         "SimGrid (builds of the preset smpi; policies of StarPU too)")
      ->check(CLI::IsMember({"events", "smpi"}))
      ->capture_default_str();
  app.add_option("--timeout", request.timeout, "Seconds after which a run of --engine smpi is killed")
      ->check(number_between(0.001, 1e6))
      ->capture_default_str();
  app.add_flag("--no-reading", request.no_reading, "Tasks that read take no time: computing alone");
  app.add_option_function<std::string>(
         "--copies",
         [&request](const std::string& name) {
           request.copies = name == "around" ? lab::Copies::around
                            : name == "kept" ? lab::Copies::kept
                                             : lab::Copies::ahead;
         },
         "Accelerators: around: inputs in before and outputs out after each task; kept: data stay, copies wait "
         "for computing; ahead: the next task's copies overlap the running one")
      ->check(CLI::IsMember({"around", "kept", "ahead"}))
      ->default_str("ahead");
  app.add_flag("--locality", request.locality,
               "Manager-Worker: accelerators prefer tasks whose inputs they hold (hybrid-pipelines-2012 IV-C)");
  app.add_option("--slides", request.slides.slides, "So many slides of different sizes instead of the workload's tiles")
      ->check(number_between(1, 1e5));
  app.add_option("--slide-tiles", request.slides.median_tiles, "Tiles of a slide, median")->capture_default_str();
  app.add_option("--slide-spread", request.slides.spread, "Sigma of the logarithm of the tiles of a slide")
      ->capture_default_str();
  app.add_option("--slide-opening", request.slide_costs.opening,
                 "Seconds to open and survey a slide, beside the workers")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  app.add_option("--slide-exporting", request.slide_costs.exporting,
                 "Seconds a tile to write exports after its slide's last tile, beside the workers")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  app.add_option("--hand-out", request.hand_outs,
                 "What a node gets: slides, largest-first (whole slides too), or tiles of all slides; several are "
                 "tried in turn")
      ->delimiter(',')
      ->check(CLI::IsMember({"slides", "largest-first", "tiles"}))
      ->capture_default_str();
  app.add_flag("--json", request.as_json, "Print JSON");
  app.add_flag(
      "--trace", request.trace,
      "Add to the JSON every task [node, worker, class, begin, end] and every window [time, node, worker, size]");
  app.add_flag("--list", request.list, "List networks, machines, workloads and policies");
}

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
