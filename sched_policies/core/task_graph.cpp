// Submitted tasks and which wait for which.
#include "sched_policies/core/task_graph.hpp"

#include <algorithm>

namespace starpath {

TaskGraph::NodeId TaskGraph::take() {
  if (free_.empty()) {
    nodes_.emplace_back();
    return nodes_.size() - 1;
  }
  const NodeId id = free_.back();
  free_.pop_back();
  return id;
}

/// Its place goes to the last of the readers.
void TaskGraph::leave(History& history, NodeId id, std::size_t use) {
  std::size_t& place = nodes_[id].place[use];
  if (place == kNone) return;
  const Reader moved = history.readers.back();
  history.readers[place] = moved;
  nodes_[moved.node].place[moved.use] = place;
  history.readers.pop_back();
  place = kNone;
}

void TaskGraph::wait_for(Node& node, NodeId other) {
  if (other == kNone) return;
  node.predecessors.push_back(other);
  node.births.push_back(nodes_[other].birth);
}

void TaskGraph::submit(const void* task, std::span<const DataUse> uses, Work work) {
  finish(task);
  const NodeId id = take();
  Node& node = nodes_[id];
  node.task = task;
  node.work = work;
  node.tail = node.told = 0;
  node.tag = nullptr;
  node.birth = ++births_;
  node.predecessors.clear();
  node.births.clear();
  node.uses.assign(uses.begin(), uses.end());
  node.place.assign(uses.size(), kNone);
  for (std::size_t u = 0; u < uses.size(); ++u) {
    History& history = data_[uses[u].data];
    if (history.writer != id) wait_for(node, history.writer);
    if (!uses[u].writes) {
      node.place[u] = history.readers.size();
      history.readers.push_back({id, u});
      continue;
    }
    for (const Reader& reader : history.readers) {
      nodes_[reader.node].place[reader.use] = kNone;
      if (reader.node != id) wait_for(node, reader.node);
    }
    history.readers.clear();
    history.writer = id;
  }
  node.previous = last_;
  node.next = kNone;
  (last_ == kNone ? first_ : nodes_[last_].next) = id;
  last_ = id;
  node_of_[task] = id;
  total_ += work.share;
  ++nodes_in_use_;
  ++fresh_;
}

void TaskGraph::finish(const void* task) {
  const auto found = node_of_.find(task);
  if (found == node_of_.end()) return;
  const NodeId id = found->second;
  node_of_.erase(found);
  Node& node = nodes_[id];
  for (std::size_t u = 0; u < node.uses.size(); ++u) {
    const auto known = data_.find(node.uses[u].data);
    if (known == data_.end()) continue;
    History& history = known->second;
    if (history.writer == id) history.writer = kNone;
    leave(history, id, u);
    if (history.writer == kNone && history.readers.empty()) data_.erase(known);
  }
  (node.previous == kNone ? first_ : nodes_[node.previous].next) = node.next;
  (node.next == kNone ? last_ : nodes_[node.next].previous) = node.previous;
  node.birth = 0;
  free_.push_back(id);
  --nodes_in_use_;
  total_ = nodes_in_use_ == 0 ? 0 : total_ - node.work.share;
}

void TaskGraph::tag(const void* task, void* tag) {
  const auto found = node_of_.find(task);
  if (found != node_of_.end()) nodes_[found->second].tag = tag;
}

double TaskGraph::tail(const void* task) const {
  const auto found = node_of_.find(task);
  return found == node_of_.end() ? 0 : nodes_[found->second].tail;
}

void TaskGraph::compute() {
  for (NodeId id = last_; id != kNone; id = nodes_[id].previous) nodes_[id].tail = 0;
  for (NodeId id = last_; id != kNone; id = nodes_[id].previous) {
    const Node& node = nodes_[id];
    const double rank = node.tail + node.work.seconds;
    for (std::size_t i = 0; i < node.predecessors.size(); ++i) {
      Node& before = nodes_[node.predecessors[i]];
      if (before.birth == node.births[i]) before.tail = std::max(before.tail, rank);
    }
  }
  fresh_ = 0;
}

}  // namespace starpath
