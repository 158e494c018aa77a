// Submitted tasks and which wait for which.
#include "sched_policies/planning/task_graph.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace starpath {

TaskGraph::Node* TaskGraph::known(const void* task, Ticket ticket) const {
  if (ticket % 2 == 0 || (std::size_t{ticket} / 2 - 1) / kSlab >= slabs_.size()) return nullptr;
  Node& node = node_of(ticket);
  return node.task == task ? &node : nullptr;
}

TaskGraph::Lone* TaskGraph::lone(const void* task, Ticket ticket) {
  const std::size_t number = std::size_t{ticket} / 2 - 1;
  if (ticket % 2 != 0 || number >= lone_.size()) return nullptr;
  return lone_[number].task == task ? &lone_[number] : nullptr;
}

TaskGraph::Ticket TaskGraph::reserve(bool data) {
  if (!data) {
    const std::size_t number = lones_.take();
    if (number == lone_.size()) lone_.emplace_back();
    return static_cast<Ticket>(2 * number + 2);
  }
  const std::size_t number = nodes_.take();
  if (number / kSlab == slabs_.size()) slabs_.push_back(std::make_unique<Node[]>(kSlab));
  return static_cast<Ticket>(2 * number + 3);
}

/// Removes the use from the readers of its data. The last reader moves to its place.
void TaskGraph::leave(Node& node, std::size_t use) {
  Use& left = node.uses[use];
  if (left.place == kNone) return;
  std::vector<Reader>& readers = left.history->readers;
  const Reader moved = readers.back();
  readers[left.place] = moved;
  moved.node->uses[moved.use].place = left.place;
  readers.pop_back();
  left.place = kNone;
}

void TaskGraph::wait_for(Node& node, Node* other) {
  if (other != nullptr && other != &node) node.predecessors.push_back({other, other->birth});
}

/// Adds the task as the last one submitted.
void TaskGraph::join(Node& node, std::span<const DataUse> uses) {
  node.birth = births_;
  for (const DataUse& use : uses) {
    History& history = data_.try_emplace(use.data, History{.data = use.data}).first->second;
    ++history.users;
    node.uses.push_back({&history, kNone});
    const bool reduces = use.access == Access::reduce;
    const bool others = !history.readers.empty() && history.readers.back().node != &node;
    if (use.access != Access::write && reduces != history.reduced && others)
      add_meeting(reserve(true), std::array{DataUse{use.data, Access::write}});
    wait_for(node, history.writer);
    if (use.access != Access::write) {
      history.reduced = reduces;
      node.uses.back().place = history.readers.size();
      history.readers.push_back({&node, node.uses.size() - 1});
      continue;
    }
    for (const Reader& reader : history.readers) {
      reader.node->uses[reader.use].place = kNone;
      wait_for(node, reader.node);
    }
    history.readers.clear();
    history.writer = &node;
  }
  node.previous = last_;
  node.next = nullptr;
  if (last_ != nullptr) last_->next = &node;
  last_ = &node;
}

/// Empties a list of a node that will be used again. A long one is freed: a task after many readers of its data is
/// rare.
template <class List>
void TaskGraph::forget(List& list) {
  constexpr std::size_t kept = 32;
  list.clear();
  if (list.capacity() > kept) list.shrink_to_fit();
}

void TaskGraph::part(Node& node) {
  for (std::size_t u = 0; u < node.uses.size(); ++u) {
    History& history = *node.uses[u].history;
    if (history.writer == &node) history.writer = nullptr;
    leave(node, u);
    const void* const data = history.data;
    if (--history.users == 0) data_.erase(data);
  }
  if (newest_ == &node) newest_ = node.previous;
  if (node.previous != nullptr) node.previous->next = node.next;
  (node.next == nullptr ? last_ : node.next->previous) = node.previous;
  node.birth = 0;
  forget(node.uses);
  forget(node.predecessors);
}

void TaskGraph::meet(Ticket ticket, std::span<const DataUse> uses) {
  if (uses.empty()) return lones_.give_back(ticket / 2 - 1);
  for (const DataUse& use : uses) {
    const auto met = use.home ? data_.find(use.data) : data_.end();
    if (met != data_.end() && met->second.writer != nullptr) met->second.writer->home = true;
  }
  add_meeting(ticket, uses);
  if (size_ == 0) forget_met();
}

void TaskGraph::add_meeting(Ticket ticket, std::span<const DataUse> uses) {
  Node& node = node_of(ticket);
  node.task = nullptr;
  node.work = {};
  node.tail = 0;
  node.tag = nullptr;
  node.waits = false;
  ++births_;
  join(node, uses);
  meetings_.push_back(ticket);
}

/// Removes a meeting of uses when all uses before it have ended.
void TaskGraph::forget_met() {
  std::erase_if(meetings_, [&](Ticket ticket) {
    Node& node = node_of(ticket);
    const auto known = [](const Predecessor& before) { return before.node->birth == before.birth; };
    if (std::ranges::any_of(node.predecessors, known)) return false;
    part(node);
    nodes_.give_back(ticket / 2 - 1);
    return true;
  });
}

TaskGraph::Work TaskGraph::Work::of(const Machine& machine, const ClassSeconds& seconds) {
  double workers = 0;  // that may run it
  double speed = 0;    // tasks like it a second, by all of them
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (!seconds[id]) continue;
    const auto count = static_cast<double>(machine.count(id));
    workers += count;
    speed += count / *seconds[id];
  }
  return speed > 0 ? Work{.mean = workers / speed, .share = 1 / speed} : Work{};
}

void TaskGraph::submit(const void* task, Ticket ticket, std::span<const DataUse> uses, Work work, Ticket old) {
  finish(task, old);
  count(work.share);
  ++size_;
  ++births_;
  if (uses.empty()) {
    *lone(nullptr, ticket) = {.task = task, .share = work.share, .birth = births_};
    return;
  }
  ++fresh_;
  Node& node = *known(nullptr, ticket);
  node.task = task;
  node.work = work;
  node.tail = 0;
  node.tag = nullptr;
  node.waits = true;
  node.home = false;
  node.level = WorkByUpwardRank::level(work.mean);
  waiting_.add(node.level, work.share);
  join(node, uses);
}

void TaskGraph::count(double share) {
  total_ += share;
  replacement_.came(share, total_);
}

bool TaskGraph::weightless(const void* task, Ticket ticket) {
  if (const Lone* const found = lone(task, ticket)) return found->share == 0;
  const Node* const node = known(task, ticket);
  return node != nullptr && node->work.share == 0;
}

void TaskGraph::weigh(const void* task, Ticket ticket, Work work) {
  double before = 0;
  if (Lone* const found = lone(task, ticket)) {
    before = std::exchange(found->share, work.share);
  } else if (Node* const node = known(task, ticket)) {
    before = node->work.share;
    if (node->waits) waiting_.remove(node->level, before);
    node->work = work;
    node->level = WorkByUpwardRank::level(work.mean + node->tail);
    if (node->waits) waiting_.add(node->level, work.share);
    ++fresh_;
  } else {
    return;
  }
  if (before == 0) return count(work.share);
  total_ += work.share - before;
}

void TaskGraph::finish(const void* task, Ticket ticket) {
  double share = 0;
  if (Lone* const found = lone(task, ticket)) {
    found->task = nullptr;
    share = found->share;
    lones_.give_back(ticket / 2 - 1);
  } else if (Node* const node = known(task, ticket)) {
    count_no_more(*node);
    part(*node);
    node->task = nullptr;
    share = node->work.share;
    nodes_.give_back(ticket / 2 - 1);
  } else {
    return;
  }
  --size_;
  total_ -= share;
  replacement_.ended(share);
  if (size_ > 0) return;
  total_ = 0;  // no rounding errors pile up
  replacement_.all_ended();
  forget_met();
}

void TaskGraph::count_no_more(Node& node) {
  if (node.waits) waiting_.remove(node.level, node.work.share);
  node.waits = false;
}

void TaskGraph::begin(const void* task, Ticket ticket) {
  Node* const node = known(task, ticket);
  if (node == nullptr) return;
  ++begun_;
  node->tag = nullptr;
  count_no_more(*node);
}

void TaskGraph::tag(const void* task, Ticket ticket, void* tag) {
  if (Node* const node = known(task, ticket)) node->tag = tag;
}

TaskGraph::Standing TaskGraph::standing(const void* task, Ticket ticket) {
  if (const Lone* const found = lone(task, ticket)) return {0, found->birth};
  const Node* const node = known(task, ticket);
  return node == nullptr ? Standing{} : Standing{node->tail, node->birth, node->home};
}

/// Ends a pass over the task, after all tasks that wait for it; true: its tail has changed.
bool TaskGraph::settle(Node& node) {
  const double tail = std::exchange(node.longest, 0);
  for (const Predecessor& before : node.predecessors) {
    if (before.node->birth == before.birth)
      before.node->longest = std::max(before.node->longest, tail + node.work.mean);
  }
  const bool changed = tail != node.tail;
  node.tail = tail;
  if (changed) node.level = WorkByUpwardRank::level(node.work.mean + tail);
  if (node.waits) waiting_.add(node.level, node.work.share);
  return changed;
}

}  // namespace starpath
