// Options of `starpath-lab --network`.
#include "apps/lab/nodes/nodes_arguments.hpp"

#include "apps/cli/number_range.hpp"

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

}  // namespace

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

}  // namespace starpath::apps
