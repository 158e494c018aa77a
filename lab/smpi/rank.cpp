// One of several simulated nodes: Manager-Worker over SMPI, tasks as StarPU runs them in SimGrid. SimGrid runs all
// nodes in one process, each with its own copy of this program. Node 0 prints one line of JSON when, and only when,
// every tile has finished. Started by starpath-lab, which writes the platform and sets StarPU's environment.
#include <starpu_mpi.h>
#include <starpu_scheduler.h>

#include <CLI/CLI.hpp>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "lab/nodes/work.hpp"
#include "lab/simulation/program.hpp"
#include "lab/simulation/tasks.hpp"
#include "lab/smpi/channel.hpp"
#include "mpi/network/message_codec.hpp"
#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/worker.hpp"

extern "C" starpu_sched_policy* starpu_get_sched_lib_policy(const char* name);  // the plug-in, linked in

namespace starpath::lab {
namespace {

using nlohmann::json;

const mpi::Agreement kAgreement{"simulated", "simulated", "simulated"};

struct Arguments {
  WorkOptions work;
  std::string network, models, policy;
  std::vector<std::string> nodes, workers;
  unsigned window = 1;
  bool no_reading = false;
};

/// The thread that receives messages handles them, and a worker's thread tells the ends of its tasks. The thread in
/// run() begins tiles, because StarPU lets no worker register data. SimGrid runs one thread at a time and changes
/// threads only where one waits.
class Rank {
 public:
  Rank(const NodesModel& all_nodes, const NodesWork& work, const Arguments& arguments, int rank)
      : work_(work),
        rank_(rank),
        group_(all_nodes.group_of_node()[static_cast<std::size_t>(rank)]),
        workload_(work.tasks[group_]),
        window_(arguments.window),
        others_(all_nodes.count() - 1),
        left_(work.tiles()),
        data_(work.tiles()),
        tasks_(workload_, work.estimates[group_], all_nodes.machine_of(group_),
               {.speed = all_nodes.groups[group_].speed,
                .takes_no_time = [this, skip = arguments.no_reading](
                                     const WorkTask& task) { return skip && workload_.kinds[task.kind] == "read"; }},
               [this](std::size_t task) { ended(task); }) {
    starpu_pthread_mutex_init(&mutex_, nullptr);
    starpu_pthread_cond_init(&changed_, nullptr);
    if (rank > 0) return;
    std::vector<std::int64_t> tiles(work.tiles());
    std::iota(tiles.begin(), tiles.end(), 0);
    manager_.emplace(static_cast<int>(all_nodes.count()), kAgreement, std::move(tiles));
  }

  /// From the first message to the last of this node; on node 0 of all. Returns the seconds that passed.
  double run() {
    channel_.emplace(rank_, rank_ > 0 || others_ > 0,
                     [this](int from, const std::string& bytes) { return receive(from, bytes); });
    const double start = starpu_timing_now();
    to_manager(mpi::Hello{kAgreement});
    starpu_pthread_mutex_lock(&mutex_);
    while (!given_.empty() || !no_more_ || open_tiles_ > 0) {
      if (given_.empty()) {
        starpu_pthread_cond_wait(&changed_, &mutex_);
        continue;
      }
      const std::size_t tile = given_.front();
      given_.pop_front();
      ++open_tiles_;
      starpu_pthread_mutex_unlock(&mutex_);
      begin(tile);
      starpu_pthread_mutex_lock(&mutex_);
    }
    starpu_pthread_mutex_unlock(&mutex_);
    for (const auto& data : data_)
      if (data) data->wait_for_results();
    const std::uint64_t messages = rank_ > 0 ? channel_->sent() + 1 : 0;  // with this last one; node 0 sends on
    const Books& books = tasks_.books();
    to_manager(worker_.bye(
        json{{"ran", books.ran}, {"busy", books.busy}, {"leaks", books.leaks}, {"messages", messages}}.dump()));
    channel_->close();
    return (starpu_timing_now() - start) * 1e-6;
  }

  const mpi::Manager& manager() const { return *manager_; }
  std::uint64_t messages() const { return channel_->sent(); }

 private:
  /// Whether another follows.
  bool receive(int from, const std::string& bytes) {
    if (!manager_) {
      from_manager(mpi::decode_to_worker(bytes).value());
      return !no_more_;
    }
    const mpi::ToManager message = mpi::decode_to_manager(bytes).value();
    if (std::holds_alternative<mpi::Bye>(message)) --others_;
    handle(from, message);
    return others_ > 0;
  }

  void to_manager(const mpi::ToManager& message) {
    if (manager_)
      handle(0, message);
    else
      channel_->send(0, mpi::encode(message));
  }
  void handle(int from, const mpi::ToManager& message) {
    for (const auto& [to, answer] : manager_->receive(from, message)) {
      if (to == 0)
        from_manager(answer);
      else
        channel_->send(to, mpi::encode(answer));
    }
  }

  void from_manager(const mpi::ToWorker& message) {
    const mpi::WorkerStep step = worker_.receive(message);
    if (step.welcome) to_manager(worker_.request(window_));
    starpu_pthread_mutex_lock(&mutex_);
    for (const auto& given : step.instances) given_.push_back(static_cast<std::size_t>(given.instance.tile));
    no_more_ = no_more_ || step.no_more;
    starpu_pthread_cond_signal(&changed_);
    starpu_pthread_mutex_unlock(&mutex_);
  }

  void begin(std::size_t tile) {
    const std::size_t first = work_.first[tile], last = work_.first[tile + 1];
    left_[tile] = static_cast<unsigned>(last - first);
    data_[tile] = std::make_unique<SimulatedData>(workload_, first, last);
    for (std::size_t task = first; task < last; ++task) {
      tasks_.submit(task, *data_[tile]);
      data_[tile]->submitted(task);
    }
  }

  void ended(std::size_t task) {
    const std::size_t tile = workload_.tasks[task].group;
    if (--left_[tile] > 0) return;
    to_manager(worker_.finished({static_cast<std::int64_t>(tile), false, false, 0, ""}));
    to_manager(worker_.request(1));
    starpu_pthread_mutex_lock(&mutex_);
    --open_tiles_;
    starpu_pthread_cond_signal(&changed_);
    starpu_pthread_mutex_unlock(&mutex_);
  }

  const NodesWork& work_;
  const int rank_;
  const std::size_t group_;
  const Workload& workload_;
  const unsigned window_;
  unsigned others_;  // of node 0: nodes that have not said farewell
  std::optional<Channel> channel_;
  mpi::Worker worker_;
  std::optional<mpi::Manager> manager_;  // of node 0
  std::vector<unsigned> left_;           // tasks of each tile that is here
  std::vector<std::unique_ptr<SimulatedData>> data_;
  SimulatedTasks tasks_;
  std::deque<std::size_t> given_;  // tiles that have not begun
  unsigned open_tiles_ = 0;
  bool no_more_ = false;
  starpu_pthread_mutex_t mutex_;
  starpu_pthread_cond_t changed_;
};

json describe(const NodesModel& all_nodes, const NodesWork& work, const mpi::Manager& manager, double makespan,
              std::uint64_t messages) {
  const std::vector<unsigned> group_of = all_nodes.group_of_node();
  NodesResult result = empty_result(all_nodes, work);
  unsigned leaks = 0;
  std::uint64_t finished = 0;
  for (std::size_t node = 0; node < group_of.size(); ++node) {
    const json books = json::parse(manager.books(static_cast<int>(node)));
    result.tiles_of_node[node] = static_cast<unsigned>(manager.finished(static_cast<int>(node)));
    leaks += books["leaks"].get<unsigned>();
    messages += books["messages"].get<std::uint64_t>();
    auto& ran = result.ran[group_of[node]];
    auto& busy = result.busy[group_of[node]];
    for (std::size_t c = 0; c < busy.size(); ++c) {
      busy[c] += books["busy"][c].get<double>();
      for (std::size_t kind = 0; kind < ran.size(); ++kind) {
        const auto count = books["ran"][kind][c].get<unsigned>();
        ran[kind][c] += count;
        finished += count;
      }
    }
  }
  return {{"policy", starpu_sched_get_sched_policy()->policy_name},
          {"makespan", makespan},
          {"tasks", work.tasks.front().tasks.size()},
          {"finished", finished},
          {"truth_seen", leaks},
          {"ran", result.ran},
          {"busy", result.busy},
          {"tiles_of_node", result.tiles_of_node},
          {"messages", messages}};
}

NodesModel read(const Arguments& arguments) {
  return read_nodes(
      ModelFile(std::filesystem::path(arguments.network)),
      [&](const std::string& name) { return read_machine(ModelFile(find_model(arguments.models, "machine", name))); },
      arguments.nodes, arguments.workers);
}

/// A policy that the plug-in has, else one of StarPU's.
void choose_policy(starpu_conf& conf, const std::string& name) {
  if (starpu_sched_policy* plugged_in = starpu_get_sched_lib_policy(name.c_str()); plugged_in != nullptr)
    conf.sched_policy = plugged_in;
  else
    conf.sched_policy_name = name.c_str();
}

void run(const Arguments& arguments) {
  const NodesModel all_nodes = read(arguments);
  const WorkOptions& options = arguments.work;
  const NodesWork work = make_work(all_nodes, options.model(), parse_estimator(options.estimator), options.seed);

  const int number = starpu_mpi_world_rank();
  if (static_cast<unsigned>(starpu_mpi_world_size()) != all_nodes.count())
    throw Error(ErrorKind::internal, "SMPI's processes are not the file's nodes");
  const LabMachine machine = all_nodes.machine_of(all_nodes.group_of_node()[static_cast<std::size_t>(number)]);
  starpu_conf conf = conf_of(machine);
  choose_policy(conf, arguments.policy);
  if (starpu_mpi_init_conf(nullptr, nullptr, 0, MPI_COMM_WORLD, &conf) != 0)
    throw Error(ErrorKind::runtime, "StarPU did not start");

  Rank rank(all_nodes, work, arguments, number);
  const double makespan = rank.run();
  while (number > 0) starpu_sleep(1e6F);  // node 0 ends all nodes
  if (!rank.manager().over() || rank.manager().left() > 0) throw Error(ErrorKind::internal, "tiles are left");
  conclude(describe(all_nodes, work, rank.manager(), makespan, rank.messages()));
}

}  // namespace
}  // namespace starpath::lab

int main(int argc, char** argv) {
  starpath::lab::Arguments arguments;
  CLI::App app{"One of several simulated nodes; use starpath-lab", "starpath-lab-rank"};
  app.add_option("--network", arguments.network)->required();
  app.add_option("--models", arguments.models)->required();
  arguments.work.add_to(app);
  app.add_option("--policy", arguments.policy)->required();
  app.add_option("--nodes", arguments.nodes);
  app.add_option("--workers", arguments.workers);
  app.add_option("--window", arguments.window);
  app.add_flag("--no-reading", arguments.no_reading);
  starpath::lab::run_program(app, argc, argv, [&] { starpath::lab::run(arguments); });
}
