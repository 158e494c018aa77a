// The network of a simulated cluster, and the shared file system on it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/cluster/cluster_model.hpp"
#include "lab/cluster/events.hpp"

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
  Network(Events& events, const ClusterModel& cluster) : events_(events), cluster_(cluster) {
    out_.assign(cluster.nodes(), {cluster.bandwidth});
    in_.assign(cluster.nodes(), {cluster.bandwidth});
    storage_.bytes_per_second = cluster.storage_bandwidth;
  }

  void tell(unsigned from, unsigned to, Events::Action heard) {
    if (from != to) ++messages_;
    events_.at(events_.now() + (from == to ? 0 : cluster_.latency), std::move(heard));
  }

  void send(unsigned from, unsigned to, double bytes, Events::Action received) {
    if (from == to) return events_.at(events_.now(), std::move(received));
    bytes_ += bytes;
    if (bytes <= cluster_.eager_bytes)
      return events_.at(events_.now() + cluster_.latency + bytes / cluster_.bandwidth, std::move(received));
    transfer(out_[from], to, bytes, cluster_.latency, std::move(received));
  }

  void read(unsigned node, double bytes, Events::Action done) {
    read_bytes_ += bytes;
    transfer(storage_, node, bytes, cluster_.storage_latency, std::move(done));
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
  const ClusterModel& cluster_;
  std::vector<Link> out_, in_;
  Link storage_;
  double bytes_ = 0, read_bytes_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace starpath::lab
