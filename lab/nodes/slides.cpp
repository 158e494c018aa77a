// Manager-Worker on simulated nodes: slides, or tiles that belong to no slide, which are those of one.
#include "lab/nodes/slides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/pure/random.hpp"
#include "lab/bounds/bound.hpp"
#include "lab/nodes/node_tiles.hpp"
#include "lab/nodes/simulate.hpp"
#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/slides_at_work.hpp"

namespace starpath::lab {
namespace {

constexpr double kMostTiles = 1e6;  // of a slide

const mpi::Agreement kStudyAgreement{"simulated", "simulated", "simulated study"};

/// Which tiles are whose.
class SlidesOfTiles {
 public:
  explicit SlidesOfTiles(const std::vector<unsigned>& tiles) : first_{0} {
    for (unsigned slide = 0; slide < tiles.size(); ++slide) {
      first_.push_back(first_.back() + tiles[slide]);
      slide_of_.insert(slide_of_.end(), tiles[slide], slide);
    }
  }
  unsigned slide_of(unsigned tile) const { return slide_of_[tile]; }
  unsigned first(unsigned slide) const { return first_[slide]; }
  unsigned end(unsigned slide) const { return first_[slide + 1]; }
  unsigned tiles() const { return first_.back(); }

 private:
  std::vector<unsigned> first_, slide_of_;
};

/// The units that the manager hands out, in this order.
std::vector<std::int64_t> units_of(const std::vector<unsigned>& tiles, HandOut hand_out) {
  const std::size_t count =
      hand_out == HandOut::tiles ? std::accumulate(tiles.begin(), tiles.end(), std::size_t{0}) : tiles.size();
  std::vector<std::int64_t> units(count);
  std::iota(units.begin(), units.end(), 0);
  if (hand_out == HandOut::largest_first)
    std::ranges::stable_sort(units, std::ranges::greater{}, [&](auto slide) { return tiles[slide]; });
  return units;
}

struct StudyNode {
  StudyNode(const NodesRun& run, unsigned number, unsigned group, TaskSource& source)
      : tiles(run, number, group, source) {}

  NodeTiles tiles;
  std::deque<unsigned> waiting;       // tiles of open slides that are not begun
  std::map<unsigned, double> opened;  // slides, and when they are open: tiles handed out alone
  mpi::SlidesAtWork at_work;          // whole slides
  std::size_t unfinished = 0;         // tiles
  std::size_t begun = 0;              // tiles in the window
  bool welcome = false, asked = false;
  double last_tile = 0;  // when it was finished
};

class StudySimulation : public TaskSource {
 public:
  StudySimulation(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options,
                  const std::vector<unsigned>& tiles, HandOut hand_out, const SlideCosts& costs)
      : network_(events_, all_nodes),
        result_(empty_result(all_nodes, work)),
        run_{events_, network_, all_nodes, work, options, result_},
        manager_(static_cast<int>(all_nodes.count()), kStudyAgreement, units_of(tiles, hand_out)),
        slides_(tiles),
        left_(tiles),
        whole_(hand_out != HandOut::tiles),
        costs_(costs) {
    const std::vector<unsigned> group_of = all_nodes.group_of_node();
    for (unsigned node = 0; node < group_of.size(); ++node)
      nodes_.push_back(std::make_unique<StudyNode>(run_, node, group_of[node], *this));
  }

  NodesResult run(StudyEnd* end) {
    for (unsigned node = 0; node < nodes_.size(); ++node) to_manager(node, mpi::Hello{kStudyAgreement});
    events_.run();
    if (!manager_.over() || manager_.left() > 0)
      throw Error(ErrorKind::internal,
                  fmt::format("the simulated run stands still with {} slides or tiles left", manager_.left()));
    result_.makespan = events_.now();
    end_.first_idle = std::numeric_limits<double>::infinity();
    for (const auto& node : nodes_) end_.first_idle = std::min(end_.first_idle, node->last_tile);
    if (end != nullptr) *end = end_;
    result_.sent_bytes = network_.bytes();
    result_.read_bytes = network_.read_bytes();
    result_.messages = network_.messages();
    result_.events = events_.happened();
    return std::move(result_);
  }

  std::optional<unsigned> next(unsigned node, unsigned worker) override { return nodes_[node]->tiles.next(worker); }

  void finished(unsigned number, unsigned worker, unsigned task, double) override {
    StudyNode& node = *nodes_[number];
    const unsigned tile = node.tiles.node().task(task).group, slide = slides_.slide_of(tile);
    if (!node.tiles.finished(worker, task)) return;
    ++result_.tiles_of_node[number];
    node.last_tile = events_.now();
    --node.unfinished;
    --node.begun;
    if (--left_[slide] == 0) conclude(number, slide);
    if (whole_) return go_on(number);
    to_manager(number, node.tiles.protocol().finished({tile, false, false, 0, ""}));
    to_manager(number, node.tiles.protocol().request(1));
    go_on(number);
  }

 private:
  void to_manager(unsigned node, mpi::ToManager message) {
    network_.tell(node, 0, [this, node, message = std::move(message)] {
      for (auto& [receiver, answer] : manager_.receive(static_cast<int>(node), message)) {
        const auto to = static_cast<unsigned>(receiver);
        network_.tell(0, to, [this, to, answer = std::move(answer)] { receive(to, answer); });
      }
    });
  }

  void receive(unsigned number, const mpi::ToWorker& message) {
    StudyNode& node = *nodes_[number];
    const mpi::WorkerStep step = node.tiles.protocol().receive(message);
    node.welcome = node.welcome || step.welcome;
    if (step.welcome && !whole_) to_manager(number, node.tiles.protocol().request(run_.options.window));
    for (const auto& given : step.instances)
      if (whole_)
        take_slide(number, static_cast<unsigned>(given.instance.tile));
      else
        take_tile(number, static_cast<unsigned>(given.instance.tile));
    node.tiles.no_more = node.tiles.no_more || step.no_more;
    go_on(number);
  }

  void take_slide(unsigned number, unsigned slide) {
    StudyNode& node = *nodes_[number];
    node.asked = false;
    ++node.at_work.opening;
    events_.at(events_.now() + costs_.opening, [this, number, slide] {
      StudyNode& opener = *nodes_[number];
      --opener.at_work.opening;
      ++opener.at_work.computing;
      for (unsigned tile = slides_.first(slide); tile < slides_.end(slide); ++tile) opener.waiting.push_back(tile);
      opener.unfinished += slides_.end(slide) - slides_.first(slide);
      go_on(number);
    });
  }

  /// The first of its slide on a node waits until that is open.
  void take_tile(unsigned number, unsigned tile) {
    StudyNode& node = *nodes_[number];
    ++node.unfinished;
    const double open = node.opened.try_emplace(slides_.slide_of(tile), events_.now() + costs_.opening).first->second;
    if (open <= events_.now()) return node.waiting.push_back(tile);
    events_.at(open, [this, number, tile] {
      nodes_[number]->waiting.push_back(tile);
      go_on(number);
    });
  }

  /// Exports of a slide whose last tile is done.
  void conclude(unsigned number, unsigned slide) {
    StudyNode& node = *nodes_[number];
    if (whole_) --node.at_work.computing;
    const double seconds = costs_.exporting * (slides_.end(slide) - slides_.first(slide));
    if (!whole_ && seconds == 0) return count_slide();
    ++node.at_work.concluding;
    events_.at(events_.now() + seconds, [this, number, slide] {
      StudyNode& ended = *nodes_[number];
      --ended.at_work.concluding;
      count_slide();
      if (whole_) to_manager(number, ended.tiles.protocol().finished({slide, false, false, 0, ""}));
      go_on(number);
    });
  }

  void count_slide() {
    if (++slides_done_ + 1 == left_.size()) end_.last_but_one_slide = events_.now();
  }

  /// Takes every step that is due: begins tiles, asks for slides, leaves.
  void go_on(unsigned number) {
    StudyNode& node = *nodes_[number];
    for (; node.begun < run_.options.window && !node.waiting.empty(); node.waiting.pop_front(), ++node.begun)
      node.tiles.begin(node.waiting.front());
    node.tiles.node().offer();
    node.at_work.tiles = node.unfinished;
    if (whole_ && node.welcome && !node.asked && !node.tiles.no_more &&
        mpi::is_slide_due(node.at_work, run_.options.window, node.tiles.node().workers())) {
      node.asked = true;
      to_manager(number, node.tiles.protocol().request(1));
    }
    const bool idle = node.unfinished == 0 && (!whole_ || node.at_work.opening + node.at_work.concluding == 0);
    if (!node.tiles.no_more || !idle || node.tiles.said_bye) return;
    node.tiles.said_bye = true;
    to_manager(number, node.tiles.protocol().bye(""));
  }

  Events events_;
  Network network_;
  NodesResult result_;
  NodesRun run_;
  mpi::Manager manager_;
  const SlidesOfTiles slides_;
  std::vector<unsigned> left_;  // tiles of each slide
  const bool whole_;
  const SlideCosts costs_;
  std::vector<std::unique_ptr<StudyNode>> nodes_;
  std::size_t slides_done_ = 0;
  StudyEnd end_;
};

}  // namespace

std::vector<unsigned> draw_slides(const SlideModel& model, std::uint64_t seed) {
  if (model.slides == 0 || !(model.median_tiles >= 1) || !(model.median_tiles <= kMostTiles) || !(model.spread >= 0) ||
      !(model.spread <= 3))
    throw Error(ErrorKind::usage, "slides: at least one, with a median of 1 to 1e6 tiles and a spread of 0 to 3");
  SplitMix64 random(seed);
  std::vector<unsigned> tiles(model.slides);
  for (unsigned& each : tiles)
    each = static_cast<unsigned>(
        std::clamp(std::round(model.median_tiles * random.lognormal(model.spread)), 1.0, kMostTiles));
  return tiles;
}

NodesResult simulate_manager_worker(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options) {
  std::vector<unsigned> slides;
  if (work.tiles() > 0) slides = {work.tiles()};
  return simulate_study(all_nodes, work, options, slides, HandOut::tiles, {});
}

NodesResult simulate_study(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options,
                           const std::vector<unsigned>& tiles, HandOut hand_out, const SlideCosts& costs,
                           StudyEnd* end) {
  if (options.window == 0)
    throw Error(ErrorKind::usage, "a window of 0 tiles: nothing could ever run; give at least 1");
  const std::size_t all = std::accumulate(tiles.begin(), tiles.end(), std::size_t{0});
  if (all != work.tiles() || std::ranges::count(tiles, 0U) > 0)
    throw Error(ErrorKind::usage, fmt::format("slides of {} tiles, but the workload has {}: each slide needs one "
                                              "at least, and together they are all",
                                              all, work.tiles()));
  return StudySimulation(all_nodes, work, options, tiles, hand_out, costs).run(end);
}

double area_bound_of(const NodesModel& all_nodes, const NodesWork& work, bool reading) {
  std::vector<unsigned> workers;
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group)
    for (const unsigned count : all_nodes.machine_of(group).workers())
      workers.push_back(count * all_nodes.groups[group].count);
  std::vector<BoundTask> tasks(work.tasks.front().tasks.size());
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group)
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const WorkTask& task = work.tasks[group].tasks[i];
      const bool free = !reading && work.tasks[group].kinds[task.kind] == "read";
      for (const double seconds : task.seconds)
        tasks[i].seconds.push_back(free && std::isfinite(seconds) ? 0 : seconds / all_nodes.groups[group].speed);
    }
  return area_bound(tasks, workers);
}

}  // namespace starpath::lab
