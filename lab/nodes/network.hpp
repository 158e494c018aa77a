// The network between simulated nodes, and the shared file system on it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/nodes/events.hpp"
#include "lab/nodes/nodes_model.hpp"

namespace starpath::lab {

/// One direction of a link: transfers pass one after the other.
struct Link {
  double bytes_per_second = 0;
  double free = 0;  ///< when the last transfer is through

  /// When a transfer that could begin at `time` begins; the link is taken from then until it is through.
  double take(double time, double bytes) {
    const double begin = std::max(time, free);
    free = begin + bytes / bytes_per_second;
    return begin;
  }
};

/// Each node has one link to a switch without limits, each way. Data pass the sender's link in the order in which they
/// were sent. Their first byte arrives a latency later, and they pass the receiver's link in the order of these
/// arrivals. Both links are busy meanwhile, so n bytes without rivals take latency + n / bandwidth. Control messages
/// pass beside data and take the latency alone, because packets of different connections interleave. Data of at most
/// eager_bytes also pass beside other data, and take latency + n / bandwidth. Within a node both take no time. The
/// shared file system is one more sender, with the bandwidth of all its disks.
class Network {
 public:
  Network(Events& events, const NodesModel& all_nodes) : events_(events), all_nodes_(all_nodes) {
    out_.assign(all_nodes.count(), {all_nodes.bandwidth});
    in_.assign(all_nodes.count(), {all_nodes.bandwidth});
    storage_.bytes_per_second = all_nodes.storage_bandwidth;
  }

  void tell(unsigned from, unsigned to, Events::Action heard) {
    if (from != to) ++messages_;
    events_.at(events_.now() + (from == to ? 0 : all_nodes_.latency), std::move(heard));
  }

  void send(unsigned from, unsigned to, double bytes, Events::Action received) {
    if (from == to) return events_.at(events_.now(), std::move(received));
    bytes_ += bytes;
    if (bytes <= all_nodes_.eager_bytes)
      return events_.at(events_.now() + all_nodes_.latency + bytes / all_nodes_.bandwidth, std::move(received));
    transfer(out_[from], to, bytes, all_nodes_.latency, std::move(received));
  }

  void read(unsigned node, double bytes, Events::Action done) {
    read_bytes_ += bytes;
    transfer(storage_, node, bytes, all_nodes_.storage_latency, std::move(done));
  }

  double bytes() const { return bytes_; }  ///< sent from node to node
  double read_bytes() const { return read_bytes_; }
  std::uint64_t messages() const { return messages_; }  ///< control messages between nodes

 private:
  void transfer(Link& out, unsigned to, double bytes, double latency, Events::Action done) {
    const double first = out.take(events_.now(), bytes) + latency, last = out.free + latency;
    events_.at(first, [this, to, bytes, last, done = std::move(done)]() mutable {
      in_[to].take(events_.now(), bytes);
      in_[to].free = std::max(in_[to].free, last);
      events_.at(in_[to].free, std::move(done));
    });
  }

  Events& events_;
  const NodesModel& all_nodes_;
  std::vector<Link> out_, in_;
  Link storage_;
  double bytes_ = 0, read_bytes_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace starpath::lab
