// Manager-Worker on simulated nodes.
#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "lab/nodes/node_tiles.hpp"
#include "lab/nodes/simulate.hpp"
#include "mpi/protocol/manager.hpp"

namespace starpath::lab {
namespace {

const mpi::Agreement kAgreement{"simulated", "simulated", "simulated"};

class Simulation : public TaskSource {
 public:
  Simulation(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options)
      : network_(events_, all_nodes),
        result_(empty_result(all_nodes, work)),
        run_{events_, network_, all_nodes, work, options, result_},
        manager_(static_cast<int>(all_nodes.count()), kAgreement, tiles_of(work)) {
    const std::vector<unsigned> group_of = all_nodes.group_of_node();
    for (unsigned node = 0; node < group_of.size(); ++node)
      nodes_.push_back(std::make_unique<NodeTiles>(run_, node, group_of[node], *this));
  }

  NodesResult run() {
    for (unsigned node = 0; node < nodes_.size(); ++node) to_manager(node, mpi::Hello{kAgreement});
    events_.run();
    if (!manager_.over() || manager_.left() > 0)
      throw Error(ErrorKind::internal,
                  fmt::format("the simulated run stands still with {} tiles left", manager_.left()));
    result_.makespan = events_.now();
    for (unsigned node = 0; node < nodes_.size(); ++node)
      result_.tiles_of_node[node] = static_cast<unsigned>(manager_.finished(static_cast<int>(node)));
    result_.sent_bytes = network_.bytes();
    result_.read_bytes = network_.read_bytes();
    result_.messages = network_.messages();
    result_.events = events_.happened();
    return std::move(result_);
  }

  std::optional<unsigned> next(unsigned node, unsigned worker) override { return nodes_[node]->next(worker); }

  void finished(unsigned node, unsigned worker, unsigned task, double) override {
    NodeTiles& tiles = *nodes_[node];
    const auto tile = static_cast<std::int64_t>(tiles.node().task(task).group);
    if (!tiles.finished(worker, task)) return;
    to_manager(node, tiles.protocol().finished({tile, false, false, 0, ""}));
    to_manager(node, tiles.protocol().request(1));
    leave_if_done(node);
  }

 private:
  static std::vector<std::int64_t> tiles_of(const NodesWork& work) {
    std::vector<std::int64_t> tiles(work.tiles());
    std::iota(tiles.begin(), tiles.end(), 0);
    return tiles;
  }

  void to_manager(unsigned node, mpi::ToManager message) {
    network_.tell(node, 0, [this, node, message = std::move(message)] {
      for (auto& [receiver, answer] : manager_.receive(static_cast<int>(node), message)) {
        const auto to = static_cast<unsigned>(receiver);
        network_.tell(0, to, [this, to, answer = std::move(answer)] { receive(to, answer); });
      }
    });
  }

  void receive(unsigned node, const mpi::ToWorker& message) {
    NodeTiles& tiles = *nodes_[node];
    const mpi::WorkerStep step = tiles.protocol().receive(message);
    if (step.welcome) to_manager(node, tiles.protocol().request(run_.options.window));
    for (const auto& given : step.instances) tiles.begin(static_cast<unsigned>(given.instance.tile));
    tiles.no_more = tiles.no_more || step.no_more;
    tiles.node().offer();
    leave_if_done(node);
  }

  void leave_if_done(unsigned node) {
    NodeTiles& tiles = *nodes_[node];
    if (!tiles.no_more || !tiles.idle() || tiles.said_bye) return;
    tiles.said_bye = true;
    to_manager(node, tiles.protocol().bye(""));
  }

  Events events_;
  Network network_;
  NodesResult result_;
  NodesRun run_;
  mpi::Manager manager_;
  std::vector<std::unique_ptr<NodeTiles>> nodes_;
};

}  // namespace

NodesResult simulate_manager_worker(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options) {
  if (options.window == 0)
    throw Error(ErrorKind::usage, "a window of 0 tiles: nothing could ever run; give at least 1");
  return Simulation(all_nodes, work, options).run();
}

}  // namespace starpath::lab
