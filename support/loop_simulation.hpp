// Loops on simulated processors: a discrete-event simulation of who fetches which block when.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/pure/event_queue.hpp"
#include "loops/dispatcher.hpp"
#include "loops/wavefront_dispatcher.hpp"

namespace starpath::loops::simulation {

/// A processor that runs a block of x iterations at a ln(x) + b iterations per microsecond.
struct Processor {
  double a = 0;
  double b = 0;
  double lowest = 0;                                            ///< rate under which no small block falls; above 0
  double saturation = std::numeric_limits<double>::infinity();  ///< block size from which the rate stays as it is
  double noise = 0;                                             ///< standard deviation of ln(time)

  double rate(double x) const { return std::max(lowest, a * std::log(std::min(x, saturation)) + b); }
  double microseconds(double x) const { return x / rate(x); }
};

struct ExecutedBlock {
  unsigned processor = 0;
  std::size_t iterations = 0;
  double begin = 0;
  double end = 0;
};

struct Outcome {
  double makespan = 0;                  ///< microseconds
  std::vector<double> finish;           ///< when each processor ran out of work; 0 for one that never had any
  std::vector<std::size_t> iterations;  ///< of each processor
  std::vector<ExecutedBlock> blocks;    ///< in the order of their beginning

  double first_finish() const { return *std::min_element(finish.begin(), finish.end()); }
  /// Latest finish - earliest finish, of the makespan.
  double imbalance() const { return makespan > 0 ? (makespan - first_finish()) / makespan : 0; }
};

namespace detail {

/// Processors and when each comes for work; of those that come at once, the lowest first.
class Arrivals {
 public:
  bool empty() const { return queue_.empty(); }
  void push(double time, unsigned processor) { queue_.push(time, processor, processor); }
  EventQueue<unsigned>::Event pop() { return queue_.pop(); }

 private:
  EventQueue<unsigned> queue_;
};

class Clock {
 public:
  Clock(const std::vector<Processor>& processors, unsigned seed) : processors_(processors), random_(seed) {
    outcome.finish.resize(processors.size());
    outcome.iterations.resize(processors.size());
  }

  double run(unsigned processor, std::size_t iterations, double now) {
    double time = processors_[processor].microseconds(static_cast<double>(iterations));
    if (processors_[processor].noise > 0) time *= std::exp(normal_(random_) * processors_[processor].noise);
    outcome.blocks.push_back({processor, iterations, now, now + time});
    outcome.finish[processor] = now + time;
    outcome.iterations[processor] += iterations;
    outcome.makespan = std::max(outcome.makespan, now + time);
    return now + time;
  }

  Outcome outcome;

 private:
  const std::vector<Processor>& processors_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace detail

/// Runs the loop of `dispatcher`: all processors come at time 0, the first one first.
inline Outcome run(Dispatcher& dispatcher, const std::vector<Processor>& processors, unsigned seed = 1) {
  detail::Clock clock(processors, seed);
  detail::Arrivals arrivals;
  std::vector<Block> blocks(processors.size());
  std::vector<double> since(processors.size(), 0);
  for (unsigned p = 0; p < processors.size(); ++p) arrivals.push(0, p);
  while (!arrivals.empty()) {
    const auto [now, order, p] = arrivals.pop();
    if (blocks[p]) dispatcher.finished(p, blocks[p], now - since[p]);
    blocks[p] = dispatcher.fetch(p);
    since[p] = now;
    if (blocks[p]) arrivals.push(clock.run(p, blocks[p].size, now), p);
  }
  return clock.outcome;
}

/// The same for dependent iterations: processors on hold come again whenever a tile finishes.
inline Outcome run(WavefrontDispatcher& dispatcher, const std::vector<Processor>& processors, unsigned seed = 1) {
  detail::Clock clock(processors, seed);
  detail::Arrivals arrivals;
  std::vector<Tile> tiles(processors.size());
  std::vector<double> since(processors.size(), 0);
  std::vector<unsigned> holding;
  const auto fetch = [&](unsigned p, double now) {
    Tile tile;
    const auto answer = dispatcher.fetch(p, tile);
    tiles[p] = tile;
    since[p] = now;
    if (answer == WavefrontDispatcher::Answer::hold) holding.push_back(p);
    if (answer == WavefrontDispatcher::Answer::tile) arrivals.push(clock.run(p, tile.iterations(), now), p);
  };
  for (unsigned p = 0; p < processors.size(); ++p) fetch(p, 0);
  while (!arrivals.empty()) {
    const auto [now, order, p] = arrivals.pop();
    dispatcher.finished(p, tiles[p], now - since[p]);
    std::vector<unsigned> waiting = std::move(holding);
    holding.clear();
    fetch(p, now);
    for (const unsigned other : waiting) fetch(other, now);
  }
  return clock.outcome;
}

}  // namespace starpath::loops::simulation
