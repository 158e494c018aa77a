// `starpath-lab --network`: a workload on several simulated nodes under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "apps/lab/model_options.hpp"
#include "apps/lab/nodes/nodes_arguments.hpp"
#include "apps/lab/nodes/nodes_results.hpp"
#include "apps/lab/nodes/smpi_run.hpp"
#include "base/error.hpp"
#include "lab/nodes/simulate.hpp"
#include "lab/nodes/slides.hpp"
#include "mpi/protocol/stream.hpp"

namespace starpath::apps {
namespace {

std::filesystem::path network_file(const std::string& name) { return lab::find_model(model_folder(), "network", name); }

lab::NodesModel nodes_of(const NodesArguments& arguments) {
  return lab::read_nodes(
      lab::ModelFile(network_file(arguments.network)),
      [](const std::string& name) { return lab::read_machine(lab::ModelFile(machine_file(name))); }, arguments.nodes,
      arguments.workers);
}

bool is_stream(const lab::WorkloadModel& model) { return model.shape.starts_with("nbia"); }

const std::vector<std::string> kNoHandOut{""};

/// Every policy with every window; once where the window is the policy's own.
std::vector<NodesRun> plan(const NodesArguments& arguments, const lab::NodesModel& all_nodes, bool stream) {
  std::vector<unsigned> windows = arguments.windows;
  unsigned most = 0;
  for (const lab::NodeGroup& group : all_nodes.groups) {
    const std::vector<unsigned> workers = group.machine.workers();
    most = std::max(most, std::accumulate(workers.begin(), workers.end(), 0u));
  }
  if (windows.empty()) windows = {stream ? 4 : 3 * most};
  std::vector<NodesRun> runs;
  for (const std::string& policy : arguments.policies)
    for (const unsigned window : windows) {
      for (const std::string& hand_out : arguments.slides.slides > 0 ? arguments.hand_outs : kNoHandOut)
        runs.push_back({policy, window, hand_out});
      if (const auto* known = mpi::find_stream_policy(policy); stream && known != nullptr && known->dynamic) break;
    }
  return runs;
}

const std::map<std::string, lab::HandOut> kHandOuts = {
    {"slides", lab::HandOut::slides}, {"largest-first", lab::HandOut::largest_first}, {"tiles", lab::HandOut::tiles}};

void simulate_events(NodesRun& run, const NodesArguments& arguments, const lab::NodesModel& all_nodes,
                     const NodesStudy& study, bool stream) {
  const lab::NodesWork& work = study.work;
  lab::NodesOptions options{.policy = run.policy,
                            .window = run.window,
                            .reading = !arguments.no_reading,
                            .copies = arguments.copies,
                            .locality = arguments.locality};
  if (arguments.trace) {
    run.trace = {{"tasks", nlohmann::json::array()}, {"windows", nlohmann::json::array()}};
    options.on_task = [&](const lab::NodesTask& task) {
      run.trace["tasks"].push_back({task.node, task.worker, task.device_class, task.begin, task.end});
    };
    options.on_window = [&](const lab::WindowStep& step) {
      run.trace["windows"].push_back({step.time, step.node, step.worker, step.window});
    };
  }
  if (!study.slides.empty())
    run.result = lab::simulate_study(all_nodes, work, options, study.slides, kHandOuts.at(run.hand_out),
                                     arguments.slide_costs, &run.study);
  else
    run.result =
        stream ? lab::simulate_streams(all_nodes, work, options) : simulate_manager_worker(all_nodes, work, options);
}

lab::NodesResult simulate_starpu(const NodesRun& run, const NodesArguments& arguments,
                                 const lab::NodesModel& all_nodes) {
  return run_in_smpi({.network = network_file(arguments.network),
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
                     all_nodes);
}

void simulate(NodesRun& run, const NodesArguments& arguments, const lab::NodesModel& all_nodes, const NodesStudy& study,
              bool stream) {
  const auto begin = std::chrono::steady_clock::now();
  if (arguments.engine == "smpi")
    run.result = simulate_starpu(run, arguments, all_nodes);
  else
    simulate_events(run, arguments, all_nodes, study, stream);
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What the engine with StarPU cannot do is said, not left out.
void check_engine(const NodesArguments& arguments, const lab::NodesWork& work, bool stream) {
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

void list() {
  for (const char* kind : {"network", "machine", "workload"})
    print_out("{}s: {}\n", kind, fmt::join(lab::model_names(model_folder(), kind), ", "));
  print_out("policies of nodes: {}\npolicies of streams: {}\n", fmt::join(lab::node_policies(), ", "),
            fmt::join(lab::stream_policies(), ", "));
}

/// The workload, with as many tiles as the slides have.
NodesStudy study_of(const NodesArguments& arguments, const lab::NodesModel& all_nodes, lab::WorkloadModel& model) {
  NodesStudy study;
  if (arguments.slides.slides > 0) {
    if (is_stream(model)) throw Error(ErrorKind::usage, "--slides: streams have no slides; take another workload");
    study.slides = lab::draw_slides(arguments.slides, arguments.seed);
    lab::set_parameter(model, "tiles", std::accumulate(study.slides.begin(), study.slides.end(), 0.0));
  }
  study.work = lab::make_work(all_nodes, model, lab::parse_estimator(arguments.estimator), arguments.seed);
  if (!study.slides.empty()) study.bound = lab::area_bound_of(all_nodes, study.work, !arguments.no_reading);
  return study;
}

void run(const NodesArguments& arguments) {
  if (arguments.list) return list();
  if (arguments.network.empty() || arguments.workload.empty() || arguments.policies.empty())
    throw Error(ErrorKind::usage, "--network, --workload and --policy are needed; see --help");
  const lab::NodesModel all_nodes = nodes_of(arguments);
  lab::WorkloadModel model = lab::read_workload(lab::ModelFile(workload_file(arguments.workload)), arguments.set);
  const NodesStudy study = study_of(arguments, all_nodes, model);
  check_engine(arguments, study.work, is_stream(model));
  std::vector<NodesRun> runs = plan(arguments, all_nodes, is_stream(model));
  for (NodesRun& one : runs) simulate(one, arguments, all_nodes, study, is_stream(model));
  if (arguments.as_json)
    return write_json(nodes_results_as_json(runs, all_nodes, study, arguments.engine, arguments.trace));
  print_nodes_results(runs, all_nodes, study);
}

}  // namespace

int lab_nodes_command(int argc, char** argv) {
  CLI::App app{"Runs workloads on several simulated nodes under scheduling policies", "starpath-lab"};
  NodesArguments arguments;
  add_nodes_options(app, arguments);
  try {
    app.parse(argc, argv);
    run(arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  }
}

}  // namespace starpath::apps
