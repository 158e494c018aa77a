// `starpath-lab --cluster`: a workload on a simulated cluster under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "apps/lab/cluster/smpi_run.hpp"
#include "apps/lab/commands.hpp"
#include "apps/lab/model_options.hpp"
#include "apps/number_range.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "lab/cluster/simulate.hpp"
#include "lab/cluster/slides.hpp"
#include "mpi/protocol/stream.hpp"

namespace starpath::apps {
namespace {

using nlohmann::json;

constexpr const char* kFooter =
    R"help(Segmentation and other workloads of independent groups run as Manager-Worker: node 0 hands out tiles on demand, each
node holds at most --window of them and runs their tasks under --policy. NBIA runs as streams: every node reads its part of
the tiles, and workers everywhere ask for buffers; --policy is then a stream policy, and --window the requests of a worker
(odds finds its own). The protocols and policies are those of real runs; only time is simulated.

With --slides the tiles are those of a study: so many slides, whose sizes are drawn (--slide-tiles, --seed). They are
handed out whole, as `mpirun starpath segment` over a study does it, or as --hand-out says. The bound is that of the
tasks' areas; the tail is the share of the makespan from the moment at which the first node has finished all its tiles.

A cluster, machine or workload is a name (--list) or a file; docs/lab.md has the formats.

Examples:
  starpath-lab --cluster --list
  starpath-lab --cluster keeneland-100 --workload segmentation --policy fcfs,pats --set tiles=2000 --nodes node=8
  starpath-lab --cluster anthill-heterogeneous --workload nbia --set recalc_rate=0.08 --policy ddwrr,odds --window 1,8,64
  starpath-lab --cluster anthill-homogeneous --workload nbia --nodes gpu=1 --workers gpu=1,0 --policy ddfcfs --json
  starpath-lab --cluster keeneland-100 --nodes node=4 --workload segmentation --set tiles=200 --no-reading \
    --policy pats,fcfs,dmda --engine smpi
  starpath-lab --cluster keeneland-100 --nodes node=20 --workload segmentation --policy pats --slides 100 \
    --hand-out slides,largest-first,tiles

Exit codes: 0 done; 1 the simulation failed; 2 wrong usage; 3 a bad model file.)help";

struct Arguments {
  std::string cluster, workload, estimator, engine = "events";
  std::vector<std::string> policies, set, nodes, workers;
  std::vector<unsigned> windows;
  std::uint64_t seed = 1;
  double timeout = 3600;
  lab::Copies copies = lab::Copies::ahead;
  lab::SlideModel slides{.median_tiles = 60, .spread = 0.7};
  lab::SlideCosts slide_costs{.opening = 2, .exporting = 0.2};
  std::vector<std::string> hand_outs{"slides"};
  bool locality = false, no_reading = false, as_json = false, trace = false, list = false;
};

std::filesystem::path cluster_file(const std::string& name) { return lab::find_model(model_folder(), "cluster", name); }

lab::ClusterModel cluster_of(const Arguments& arguments) {
  return lab::read_cluster(
      lab::ModelFile(cluster_file(arguments.cluster)),
      [](const std::string& name) { return lab::read_machine(lab::ModelFile(machine_file(name))); }, arguments.nodes,
      arguments.workers);
}

bool is_stream(const lab::WorkloadModel& model) { return model.shape.starts_with("nbia"); }

const std::map<std::string, lab::HandOut> kHandOuts = {
    {"slides", lab::HandOut::slides}, {"largest-first", lab::HandOut::largest_first}, {"tiles", lab::HandOut::tiles}};

struct Run {
  std::string policy;
  unsigned window;
  std::string hand_out = {};  // of slides
  lab::StudyEnd study{};
  double wall_seconds = 0;
  lab::ClusterResult result{};
  json trace{};
};

const std::vector<std::string> kNoHandOut{""};

/// Every policy with every window; once where the window is the policy's own.
std::vector<Run> plan(const Arguments& arguments, const lab::ClusterModel& cluster, bool stream) {
  std::vector<unsigned> windows = arguments.windows;
  unsigned most = 0;
  for (const lab::NodeGroup& group : cluster.groups) {
    const std::vector<unsigned> workers = group.machine.workers();
    most = std::max(most, std::accumulate(workers.begin(), workers.end(), 0u));
  }
  if (windows.empty()) windows = {stream ? 4 : 3 * most};
  std::vector<Run> runs;
  for (const std::string& policy : arguments.policies)
    for (const unsigned window : windows) {
      for (const std::string& hand_out : arguments.slides.slides > 0 ? arguments.hand_outs : kNoHandOut)
        runs.push_back({policy, window, hand_out});
      if (const auto* known = cluster::find_stream_policy(policy); stream && known != nullptr && known->dynamic) break;
    }
  return runs;
}

/// What is simulated.
struct Study {
  lab::ClusterWork work;
  std::vector<unsigned> slides;  // tiles of each; empty: no study
  double bound = 0;              // of their makespan, seconds
};

void simulate_events(Run& run, const Arguments& arguments, const lab::ClusterModel& cluster, const Study& study,
                     bool stream) {
  const lab::ClusterWork& work = study.work;
  lab::ClusterOptions options{.policy = run.policy,
                              .window = run.window,
                              .reading = !arguments.no_reading,
                              .copies = arguments.copies,
                              .locality = arguments.locality};
  if (arguments.trace) {
    run.trace = {{"tasks", json::array()}, {"windows", json::array()}};
    options.on_task = [&](const lab::ClusterTask& task) {
      run.trace["tasks"].push_back({task.node, task.worker, task.device_class, task.begin, task.end});
    };
    options.on_window = [&](const lab::WindowStep& step) {
      run.trace["windows"].push_back({step.time, step.node, step.worker, step.window});
    };
  }
  if (!study.slides.empty())
    run.result = lab::simulate_study(cluster, work, options, study.slides, kHandOuts.at(run.hand_out),
                                     arguments.slide_costs, &run.study);
  else
    run.result =
        stream ? lab::simulate_streams(cluster, work, options) : simulate_manager_worker(cluster, work, options);
}

lab::ClusterResult simulate_starpu(const Run& run, const Arguments& arguments, const lab::ClusterModel& cluster) {
  return run_in_smpi({.cluster = cluster_file(arguments.cluster),
                      .models = model_folder(),
                      .workload = workload_file(arguments.workload),
                      .set = arguments.set,
                      .nodes = arguments.nodes,
                      .workers = arguments.workers,
                      .policy = run.policy,
                      .estimator = arguments.estimator,
                      .window = run.window,
                      .seed = arguments.seed,
                      .no_reading = arguments.no_reading,
                      .limit = std::chrono::milliseconds(static_cast<std::int64_t>(arguments.timeout * 1000))},
                     cluster);
}

void simulate(Run& run, const Arguments& arguments, const lab::ClusterModel& cluster, const Study& study, bool stream) {
  const auto begin = std::chrono::steady_clock::now();
  if (arguments.engine == "smpi")
    run.result = simulate_starpu(run, arguments, cluster);
  else
    simulate_events(run, arguments, cluster, study, stream);
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What the engine with StarPU cannot do is said, not left out.
void check_engine(const Arguments& arguments, const lab::ClusterWork& work, bool stream) {
  if (arguments.engine != "smpi") return;
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, "--engine smpi: " + why); };
  if (stream) refuse("streams are simulated by events only");
  if (arguments.slides.slides > 0) refuse("studies are simulated by events only");
  if (arguments.trace) refuse("there is no --trace");
  if (arguments.locality || arguments.copies != lab::Copies::ahead)
    refuse("--copies and --locality are of simulated events");
  if (!arguments.no_reading && std::ranges::count(work.tasks.front().kinds, "read") > 0)
    refuse("the shared file system is simulated by events only; add --no-reading to compare computing");
}

/// What one core of a node of the first group would take.
double core_seconds(const lab::ClusterWork& work) {
  double sum = 0;
  for (const lab::WorkTask& task : work.tasks.front().tasks) sum += task.seconds[0];
  return sum;
}

double tail_of(const Run& run) { return 1 - run.study.first_idle / run.result.makespan; }

json to_json(const Arguments& arguments, const std::vector<Run>& runs, const lab::ClusterModel& cluster,
             const Study& study) {
  const lab::ClusterWork& work = study.work;
  json groups = json::array(), out_runs = json::array();
  for (std::size_t group = 0; group < cluster.groups.size(); ++group)
    groups.push_back({{"name", cluster.groups[group].name},
                      {"nodes", cluster.groups[group].count},
                      {"workers", cluster.machine_of(group).workers()}});
  for (const Run& run : runs) {
    const lab::ClusterResult& result = run.result;
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
    if (arguments.trace) entry["trace"] = run.trace;
    out_runs.push_back(entry);
  }
  json slides = study.slides.empty() ? json(nullptr) : json{{"tiles", study.slides}, {"bound", study.bound}};
  return {{"cluster", cluster.name},
          {"slides", slides},
          {"engine", arguments.engine},
          {"workload", work.tasks.front().name},
          {"tiles", work.tiles()},
          {"tasks", work.tasks.front().tasks.size()},
          {"core_seconds", core_seconds(work)},
          {"classes", cluster.class_names()},
          {"kinds", work.tasks.front().kinds},
          {"groups", groups},
          {"runs", out_runs}};
}

void print_study(const std::vector<Run>& runs, const Study& study) {
  const auto [least, most] = std::ranges::minmax(study.slides);
  print_out("{} slides of {} to {} tiles; no schedule takes less than {:.1f} s\n", study.slides.size(), least, most,
            study.bound);
  print_out("{:<8} {:>6} {:<13} {:>11} {:>7} {:>19}\n", "policy", "window", "handed out", "over bound", "tail %",
            "last slide alone %");
  for (const Run& run : runs)
    print_out("{:<8} {:>6} {:<13} {:>11.3f} {:>7.1f} {:>19.1f}\n", run.policy, run.window, run.hand_out,
              run.result.makespan / study.bound, 100 * tail_of(run),
              100 * (1 - run.study.last_but_one_slide / run.result.makespan));
}

void print_table(const std::vector<Run>& runs, const lab::ClusterModel& cluster, const lab::ClusterWork& work) {
  print_out("{} on {} nodes of {}: {} tiles, {} tasks, {:.1f} s on one core\n", work.tasks.front().name,
            cluster.nodes(), cluster.name, work.tiles(), work.tasks.front().tasks.size(), core_seconds(work));
  print_out("{:<8} {:>6} {:>11} {:>9} {:>9} {:>8} {:>9}  idle share\n", "policy", "window", "makespan s", "tiles/s",
            "sent GB", "read GB", "messages");
  const auto names = cluster.class_names();
  for (const Run& run : runs) {
    const lab::ClusterResult& result = run.result;
    print_out("{:<8} {:>6} {:>11.4f} {:>9.1f} {:>9.3f} {:>8.1f} {:>9} ", run.policy, run.window, result.makespan,
              work.tiles() / result.makespan, result.sent_bytes * 1e-9, result.read_bytes * 1e-9, result.messages);
    for (std::size_t group = 0; group < cluster.groups.size(); ++group) {
      const auto workers = cluster.machine_of(group).workers();
      for (std::size_t c = 0; c < workers.size(); ++c)
        if (workers[c] * cluster.groups[group].count > 0)
          print_out(" {}: {} {:.0f} %", cluster.groups[group].name, names[c],
                    100 * (1 - result.busy[group][c] / (result.makespan * workers[c] * cluster.groups[group].count)));
    }
    print_out("\n");
  }
}

void list() {
  for (const char* kind : {"cluster", "machine", "workload"})
    print_out("{}s: {}\n", kind, fmt::join(lab::model_names(model_folder(), kind), ", "));
  print_out("policies of nodes: {}\npolicies of streams: {}\n", fmt::join(lab::node_policies(), ", "),
            fmt::join(lab::stream_policies(), ", "));
}

/// The workload, with as many tiles as the slides have.
Study study_of(const Arguments& arguments, const lab::ClusterModel& cluster, lab::WorkloadModel& model) {
  Study study;
  if (arguments.slides.slides > 0) {
    if (is_stream(model)) throw Error(ErrorKind::usage, "--slides: streams have no slides; take another workload");
    study.slides = lab::draw_slides(arguments.slides, arguments.seed);
    lab::set_parameter(model, "tiles", std::accumulate(study.slides.begin(), study.slides.end(), 0.0));
  }
  study.work = lab::make_work(cluster, model, lab::parse_estimator(arguments.estimator), arguments.seed);
  if (!study.slides.empty()) study.bound = lab::area_bound_of(cluster, study.work, !arguments.no_reading);
  return study;
}

void run(const Arguments& arguments) {
  if (arguments.list) return list();
  if (arguments.cluster.empty() || arguments.workload.empty() || arguments.policies.empty())
    throw Error(ErrorKind::usage, "--cluster, --workload and --policy are needed; see --help");
  const lab::ClusterModel cluster = cluster_of(arguments);
  lab::WorkloadModel model = lab::read_workload(lab::ModelFile(workload_file(arguments.workload)), arguments.set);
  const Study study = study_of(arguments, cluster, model);
  check_engine(arguments, study.work, is_stream(model));
  std::vector<Run> runs = plan(arguments, cluster, is_stream(model));
  for (Run& one : runs) simulate(one, arguments, cluster, study, is_stream(model));
  if (arguments.as_json) return write_json(to_json(arguments, runs, cluster, study));
  print_table(runs, cluster, study.work);
  if (!study.slides.empty()) print_study(runs, study);
}

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--cluster", arguments.cluster, "Cluster: a name or a file")->expected(0, 1);
  app.add_option("--workload", arguments.workload, "Workload: a name or a file");
  app.add_option("--policy", arguments.policies, "Policies (--list); repeat for several, or separate by commas")
      ->delimiter(',');
  app.add_option(
         "--window", arguments.windows,
         "Tiles a node holds (default: 3 a worker of the largest node); streams: requests of a worker (default: "
         "4). Several are tried in turn")
      ->delimiter(',');
  app.add_option("--nodes", arguments.nodes,
                 "GROUP=COUNT: so many nodes instead of the file's; 0 leaves the group out");
  app.add_option(
      "--workers", arguments.workers,
      "GROUP=COUNT,COUNT,...: workers by class of the group's machine, such as node=0,3 for three GPUs alone");
  app.add_option("--set", arguments.set, "NAME=NUMBER: a parameter of the workload, such as tiles=100");
  app.add_option("--estimator", arguments.estimator,
                 "exact, knn, history, error:PERCENT, sigma:NUMBER or confound:PERCENT")
      ->default_val("knn");
  app.add_option("--seed", arguments.seed, "Of the data")->capture_default_str();
  app.add_option(
         "--engine", arguments.engine,
         "events: discrete events, seconds for 100 nodes; smpi: a StarPU with the policy's plug-in on each node, in "
         "SimGrid (builds of the preset smpi; policies of StarPU too)")
      ->check(CLI::IsMember({"events", "smpi"}))
      ->capture_default_str();
  app.add_option("--timeout", arguments.timeout, "Seconds after which a run of --engine smpi is killed")
      ->check(number_between(0.001, 1e6))
      ->capture_default_str();
  app.add_flag("--no-reading", arguments.no_reading, "Tasks that read take no time: computing alone");
  app.add_option("--copies", arguments.copies,
                 "Accelerators: around: inputs in before and outputs out after each task; kept: data stay, copies wait "
                 "for computing; ahead: the next task's copies overlap the running one")
      ->transform(CLI::CheckedTransformer(std::map<std::string, lab::Copies>{
          {"around", lab::Copies::around}, {"kept", lab::Copies::kept}, {"ahead", lab::Copies::ahead}}))
      ->default_str("ahead");
  app.add_flag("--locality", arguments.locality,
               "Manager-Worker: accelerators prefer tasks whose inputs they hold (hybrid-pipelines-2012 IV-C)");
  app.add_option("--slides", arguments.slides.slides,
                 "So many slides of different sizes instead of the workload's tiles")
      ->check(number_between(1, 1e5));
  app.add_option("--slide-tiles", arguments.slides.median_tiles, "Tiles of a slide, median")->capture_default_str();
  app.add_option("--slide-spread", arguments.slides.spread, "Sigma of the logarithm of the tiles of a slide")
      ->capture_default_str();
  app.add_option("--slide-opening", arguments.slide_costs.opening,
                 "Seconds to open and survey a slide, beside the workers")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  app.add_option("--slide-exporting", arguments.slide_costs.exporting,
                 "Seconds a tile to write exports after its slide's last tile, beside the workers")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  app.add_option("--hand-out", arguments.hand_outs,
                 "What a node gets: slides, largest-first (whole slides too), or tiles of all slides; several are "
                 "tried in turn")
      ->delimiter(',')
      ->check(CLI::IsMember({"slides", "largest-first", "tiles"}))
      ->capture_default_str();
  app.add_flag("--json", arguments.as_json, "Print JSON");
  app.add_flag(
      "--trace", arguments.trace,
      "Add to the JSON every task [node, worker, class, begin, end] and every window [time, node, worker, size]");
  app.add_flag("--list", arguments.list, "List clusters, machines, workloads and policies");
}

}  // namespace

int lab_cluster_command(int argc, char** argv) {
  CLI::App app{"Runs workloads on simulated clusters under scheduling policies", "starpath-lab"};
  app.footer(kFooter);
  Arguments arguments;
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
    run(arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  }
}

}  // namespace starpath::apps
