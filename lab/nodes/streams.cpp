// Streams from readers to workers on simulated nodes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "lab/nodes/node.hpp"
#include "lab/nodes/simulate.hpp"
#include "mpi/protocol/buffer_weights.hpp"
#include "mpi/protocol/stream.hpp"

namespace starpath::lab {
namespace {

const mpi::StreamPolicy& find_policy(const std::string& name) {
  if (const mpi::StreamPolicy* known = mpi::find_stream_policy(name)) return *known;
  throw Error(ErrorKind::usage, fmt::format("policy '{}': streams have {}", name, fmt::join(stream_policies(), ", ")));
}

/// The reading end on a node: which tiles are its own, and how far they are.
struct Reader {
  mpi::StreamProducer producer;
  unsigned next, last;    // tiles to read: [next, last)
  unsigned unjudged = 0;  // tiles that may still need a buffer
  unsigned in_flight = 0;
  bool ended = false;
};

class Simulation : public TaskSource {
 public:
  Simulation(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options)
      : network_(events_, all_nodes),
        result_(empty_result(all_nodes, work)),
        run_{events_, network_, all_nodes, work, options, result_},
        window_(work.tasks.front().window == 0 ? work.tiles() : work.tasks.front().window) {
    const mpi::StreamPolicy& policy = find_policy(options.policy);
    const std::vector<unsigned> group_of = all_nodes.group_of_node();
    const auto nodes = static_cast<unsigned>(group_of.size());
    const std::size_t classes = all_nodes.class_names().size();
    for (unsigned node = 0; node < nodes; ++node) {
      nodes_.push_back(std::make_unique<Node>(run_, node, group_of[node], *this));
      std::vector<std::size_t> worker_classes;
      for (unsigned worker = 0; worker < nodes_.back()->workers(); ++worker)
        worker_classes.push_back(nodes_.back()->machine().class_of(worker));
      consumers_.emplace_back(policy, classes, worker_classes, static_cast<int>(nodes),
                              mpi::StreamConsumerOptions{.window = options.window});
      const auto part = [&](unsigned of) { return static_cast<unsigned>(std::uint64_t{work.tiles()} * of / nodes); };
      readers_.push_back({{policy, classes, static_cast<int>(nodes)}, part(node), part(node + 1)});
    }
    levels_ = static_cast<unsigned>(work.tasks.front().kinds.size());
  }

  NodesResult run() {
    for (unsigned node = 0; node < readers_.size(); ++node) read(node);
    for (unsigned node = 0; node < consumers_.size(); ++node) to_producers(node, consumers_[node].start(0));
    events_.run();
    for (unsigned node = 0; node < readers_.size(); ++node)
      if (!readers_[node].producer.over() || !consumers_[node].over())
        throw Error(ErrorKind::internal, fmt::format("the simulated streams stand still at node {}", node));
    result_.makespan = events_.now();
    result_.sent_bytes = network_.bytes();
    result_.messages = network_.messages();
    result_.events = events_.happened();
    return std::move(result_);
  }

  std::optional<unsigned> next(unsigned node, unsigned worker) override {
    mpi::StreamConsumer::Sends out;
    const auto buffer = consumers_[node].take(worker, events_.now(), out);
    to_producers(node, out);
    return buffer ? std::optional(static_cast<unsigned>(*buffer)) : std::nullopt;
  }

  void finished(unsigned node, unsigned worker, unsigned task, double seconds) override {
    mpi::StreamConsumer& consumer = consumers_[node];
    to_producers(node, consumer.processed(worker, seconds, events_.now()));
    if (run_.options.on_window) run_.options.on_window({events_.now(), node, worker, consumer.window(worker)});
    ++result_.tiles_of_node[node];
    nodes_[node]->forget(task);
    const unsigned reader = reader_of(nodes_[node]->task(task).group);
    network_.tell(node, reader, [this, reader, task] { judged(reader, task); });
  }

 private:
  unsigned reader_of(unsigned tile) const {
    const auto above = std::ranges::upper_bound(readers_, tile, {}, &Reader::last);
    return static_cast<unsigned>(above - readers_.begin());
  }

  const WorkTask& task(unsigned number) const { return run_.work.tasks.front().tasks[number]; }

  /// The last level always decides; below it nobody knows before the verdict whether the tile is needed again.
  void insert(unsigned node, unsigned number) {
    Reader& reader = readers_[node];
    if (task(number).kind + 1 == levels_) --reader.unjudged;
    // A buffer's speedups are the same on every node: those of the classes.
    to_consumers(node, reader.producer.insert({number, mpi::buffer_weights(run_.work.estimates.front()[number])},
                                              events_.now()));
  }

  void read(unsigned node) {
    Reader& reader = readers_[node];
    while (reader.in_flight < window_ && reader.next < reader.last) {
      ++reader.in_flight;
      ++reader.unjudged;
      insert(node, static_cast<unsigned>(run_.work.first[reader.next++]));
    }
    if (reader.next < reader.last || reader.unjudged > 0 || reader.ended) return;
    reader.ended = true;
    to_consumers(node, reader.producer.end());
  }

  void judged(unsigned node, unsigned number) {
    Reader& reader = readers_[node];
    const bool again = number + 1 < run_.work.first[task(number).group + 1];
    if (again) {
      insert(node, number + 1);
    } else {
      --reader.in_flight;
      if (task(number).kind + 1 < levels_) --reader.unjudged;
    }
    read(node);
  }

  void to_producers(unsigned node, const mpi::StreamConsumer::Sends& sends) {
    for (const auto& [producer, message] : sends) {
      const auto to = static_cast<unsigned>(producer);
      network_.tell(node, to, [this, node, to, message = message] {
        to_consumers(to, readers_[to].producer.receive(static_cast<int>(node), message, events_.now()));
      });
    }
  }

  void to_consumers(unsigned node, const mpi::StreamProducer::Sends& sends) {
    for (const auto& [consumer, message] : sends) {
      const auto to = static_cast<unsigned>(consumer);
      auto received = [this, node, to, message = message] {
        to_producers(to, consumers_[to].receive(static_cast<int>(node), message, events_.now()));
        nodes_[to]->offer();
      };
      if (const auto* sent = std::get_if<mpi::BufferSent>(&message))
        network_.send(node, to, bytes_of(static_cast<unsigned>(sent->buffer.id)), std::move(received));
      else
        network_.tell(node, to, std::move(received));
    }
  }

  double bytes_of(unsigned number) const {
    double bytes = 0;
    for (const Access& access : task(number).data)
      if (access.mode != AccessMode::write) bytes += run_.work.tasks.front().data[access.data].bytes;
    return bytes * run_.all_nodes.wire_share;
  }

  Events events_;
  Network network_;
  NodesResult result_;
  NodesRun run_;
  unsigned window_, levels_ = 1;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<mpi::StreamConsumer> consumers_;
  std::vector<Reader> readers_;
};

}  // namespace

NodesResult simulate_streams(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options) {
  const bool fixed = !find_policy(options.policy).dynamic;
  if (fixed && options.window == 0)
    throw Error(ErrorKind::usage, "a window of 0 requests: nothing would ever be sent; give at least 1");
  if (options.locality)
    throw Error(ErrorKind::usage, "locality is for tiles of several tasks: streams send each buffer once");
  for (unsigned tile = 0; tile < work.tiles(); ++tile)
    for (std::size_t i = work.first[tile] + 1; i < work.first[tile + 1]; ++i)
      if (work.after[i] != std::vector<unsigned>{static_cast<unsigned>(i - 1)})
        throw Error(ErrorKind::usage, "streams carry tiles whose tasks follow one another, as those of nbia do");
  return Simulation(all_nodes, work, options).run();
}

std::vector<std::string> stream_policies() {
  std::vector<std::string> names;
  for (const mpi::StreamPolicy& policy : mpi::kStreamPolicies) names.emplace_back(policy.name);
  return names;
}

}  // namespace starpath::lab
