// From a request to simulations, and from those to JSON.
#include "lab/experiments/nodes_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/experiments/smpi_run.hpp"
#include "lab/nodes/simulate.hpp"
#include "mpi/protocol/stream.hpp"

namespace starpath::lab {
namespace {

using nlohmann::json;

bool is_stream(const WorkloadModel& model) { return model.shape.starts_with("nbia"); }

const std::vector<std::string> kNoHandOut{""};

/// Every policy with every window; once where the window is the policy's own.
std::vector<NodesRun> plan(const NodesRequest& request, const NodesModel& all_nodes, bool stream) {
  std::vector<unsigned> windows = request.windows;
  unsigned most = 0;
  for (const NodeGroup& group : all_nodes.groups) {
    const std::vector<unsigned> workers = group.machine.workers();
    most = std::max(most, std::accumulate(workers.begin(), workers.end(), 0u));
  }
  if (windows.empty()) windows = {stream ? 4 : 3 * most};
  std::vector<NodesRun> runs;
  for (const std::string& policy : request.policies)
    for (const unsigned window : windows) {
      for (const std::string& hand_out : request.slides.slides > 0 ? request.hand_outs : kNoHandOut)
        runs.push_back({policy, window, hand_out});
      if (const auto* known = mpi::find_stream_policy(policy); stream && known != nullptr && known->dynamic) break;
    }
  return runs;
}

const std::map<std::string, HandOut> kHandOuts = {
    {"slides", HandOut::slides}, {"largest-first", HandOut::largest_first}, {"tiles", HandOut::tiles}};

void simulate_events(NodesRun& run, const NodesRequest& request, const NodesExperiment& experiment, bool stream) {
  const NodesModel& nodes = experiment.nodes;
  const NodesWork& work = experiment.work;
  NodesOptions options{.policy = run.policy,
                       .window = run.window,
                       .reading = !request.no_reading,
                       .copies = request.copies,
                       .locality = request.locality};
  if (request.trace) {
    run.trace = {{"tasks", nlohmann::json::array()}, {"windows", nlohmann::json::array()}};
    options.on_task = [&](const NodesTask& task) {
      run.trace["tasks"].push_back({task.node, task.worker, task.device_class, task.begin, task.end});
    };
    options.on_window = [&](const WindowStep& step) {
      run.trace["windows"].push_back({step.time, step.node, step.worker, step.window});
    };
  }
  if (!experiment.slides.empty())
    run.result = simulate_study(nodes, work, options, experiment.slides, kHandOuts.at(run.hand_out),
                                request.slide_costs, &run.study);
  else
    run.result = stream ? simulate_streams(nodes, work, options) : simulate_manager_worker(nodes, work, options);
}

void simulate(NodesRun& run, const NodesRequest& request, const NodesExperiment& experiment, bool stream) {
  const auto begin = std::chrono::steady_clock::now();
  if (request.engine == "smpi")
    run.result = run_in_smpi(request, experiment.nodes, run.policy, run.window);
  else
    simulate_events(run, request, experiment, stream);
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What the engine with StarPU cannot do is said, not left out.
void check_engine(const NodesRequest& request, const NodesWork& work, bool stream) {
  if (request.engine != "smpi") return;
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, "--engine smpi: " + why); };
  if (stream) refuse("streams are simulated by events only");
  if (request.slides.slides > 0) refuse("studies are simulated by events only");
  if (request.trace) refuse("there is no --trace");
  if (request.locality || request.copies != Copies::ahead) refuse("--copies and --locality are of simulated events");
  if (!request.no_reading && std::ranges::count(work.tasks.front().kinds, "read") > 0)
    refuse("the shared file system is simulated by events only; add --no-reading to compare computing");
}

}  // namespace

double NodesExperiment::core_seconds() const {
  double sum = 0;
  for (const WorkTask& task : work.tasks.front().tasks) sum += task.seconds[0];
  return sum;
}

NodesExperiment run_nodes(const NodesRequest& request) {
  NodesExperiment all;
  all.nodes = read_nodes(
      ModelFile(network_file(request.network)),
      [](const std::string& name) { return read_machine(ModelFile(machine_file(name))); }, request.nodes,
      request.workers);
  WorkloadModel model = read_workload(ModelFile(workload_file(request.workload)), request.set);
  const bool stream = is_stream(model);
  if (request.slides.slides > 0) {
    if (stream) throw Error(ErrorKind::usage, "--slides: streams have no slides; take another workload");
    all.slides = draw_slides(request.slides, request.seed);
    set_parameter(model, "tiles", std::accumulate(all.slides.begin(), all.slides.end(), 0.0));
  }
  all.work = make_work(all.nodes, model, parse_estimator(request.estimator), request.seed);
  if (!all.slides.empty()) all.bound = area_bound_of(all.nodes, all.work, !request.no_reading);
  check_engine(request, all.work, stream);
  all.runs = plan(request, all.nodes, stream);
  for (NodesRun& run : all.runs) simulate(run, request, all, stream);
  return all;
}

json to_json(const NodesExperiment& experiment, const NodesRequest& request) {
  const NodesModel& nodes = experiment.nodes;
  const NodesWork& work = experiment.work;
  json groups = json::array(), out_runs = json::array();
  for (std::size_t group = 0; group < nodes.groups.size(); ++group)
    groups.push_back({{"name", nodes.groups[group].name},
                      {"nodes", nodes.groups[group].count},
                      {"workers", nodes.machine_of(group).workers()}});
  for (const NodesRun& run : experiment.runs) {
    const NodesResult& result = run.result;
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
    if (!experiment.slides.empty())
      entry["study"] = {{"hand_out", run.hand_out},
                        {"over_bound", run.result.makespan / experiment.bound},
                        {"tail", run.tail()},
                        {"last_slide_alone", run.last_slide_alone()}};
    if (request.trace) entry["trace"] = run.trace;
    out_runs.push_back(entry);
  }
  json slides =
      experiment.slides.empty() ? json(nullptr) : json{{"tiles", experiment.slides}, {"bound", experiment.bound}};
  return {{"cluster", nodes.name},
          {"slides", slides},
          {"engine", request.engine},
          {"workload", work.tasks.front().name},
          {"tiles", work.tiles()},
          {"tasks", work.tasks.front().tasks.size()},
          {"core_seconds", experiment.core_seconds()},
          {"classes", nodes.class_names()},
          {"kinds", work.tasks.front().kinds},
          {"groups", groups},
          {"runs", out_runs}};
}

}  // namespace starpath::lab
