// Tasks in an order that is no sorting: each is put at a place, and may leave from any place.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A sequence of tasks, found by place (0 is the head) and by facts. `Facts` holds what a search asks of an entry and
/// of many entries at once: a default one says that there is no entry, and `a += b` makes what is so of both. Up to 16
/// neighbours of equal facts and group share a node, and a search asks of the first of them only. Each call takes
/// logarithmic time in the nodes, but for searches whose `may` is true of entries that do not fit. Not thread-safe.
/// Source: treaps (Seidel and Aragon, Algorithmica 1996), by place instead of by key.
template <class Facts>
class TaskSequence {
 public:
  std::size_t size() const { return nodes_[tree_].size; }
  /// What is so of all entries.
  const Facts& facts() const { return nodes_[tree_].all; }

  const TaskRecord& at(std::size_t place) const {
    const Node* node = &nodes_[tree_];
    for (Span here = span_of(*node); place < here.begin || place >= here.end; here = span_of(*node)) {
      node = &nodes_[place < here.begin ? node->left : node->right];
      if (place >= here.end) place -= here.end;
    }
    return node->at(place - span_of(*node).begin);
  }

  /// Puts the task in front of what is at `place` <= size(), which is not between two tasks of equal facts and group.
  void insert(std::size_t place, TaskRecord& task, const Facts& facts) {
    if (join_equals(tree_, place, task, facts)) return;
    Id added = static_cast<Id>(nodes_.size());
    if (free_ != kNone) {
      added = free_;
      free_ = nodes_[free_].left;
    } else {
      nodes_.emplace_back();
    }
    nodes_[added] = {
        .own = facts, .all = facts, .rank = static_cast<std::uint32_t>(random_()), .count = 1, .tasks = {&task}};
    put(tree_, place, added);
  }

  struct Removed {
    TaskRecord* task;
    Facts facts;
    bool last;  ///< of its node
  };
  /// Takes the task at `place` < size() out.
  Removed remove(std::size_t place) { return remove_from(tree_, place); }

  /// The first place from `from` on whose entry fits; size() if none does. `may(facts)`: whether some entry of those
  /// facts may fit. `fits(task, facts)`: whether this entry does.
  template <class May, class Fits>
  std::size_t first(std::size_t from, May may, Fits fits) const {
    return first_in(tree_, from, may, fits);
  }

  /// One more than the last place before `to` whose entry fits; 0 if none does.
  template <class May, class Fits>
  std::size_t last(std::size_t to, May may, Fits fits) const {
    return last_in(tree_, to, may, fits);
  }

 private:
  using Id = std::uint32_t;  // of a node, and of the tree below it
  static constexpr Id kNone = 0;
  static constexpr std::uint32_t kTogether = 16;

  struct Node {
    Facts own, all;        // of an entry here, and of the whole tree
    std::size_t size = 0;  // of the tree
    Id left = kNone, right = kNone;
    std::uint32_t rank = 0;              // at random; the highest is on top
    std::uint32_t begin = 0, count = 0;  // of the entries here
    std::array<TaskRecord*, kTogether> tasks{};

    TaskRecord*& slot(std::size_t i) { return tasks[(begin + i) % kTogether]; }
    const TaskRecord& at(std::size_t i) const { return *tasks[(begin + i) % kTogether]; }
    TaskRecord* take(std::size_t i) {
      TaskRecord* const task = slot(i);
      if (i == 0) ++begin;
      for (; i > 0 && i + 1 < count; ++i) slot(i) = slot(i + 1);
      --count;
      return task;
    }
  };
  struct Pair {
    Id first, second;
  };
  /// The places of a node's entries in its tree.
  struct Span {
    std::size_t begin, end;
  };

  Span span_of(const Node& node) const {
    const std::size_t begin = nodes_[node.left].size;
    return {begin, begin + node.count};
  }

  void update(Node& node) {
    const Node &left = nodes_[node.left], &right = nodes_[node.right];
    node.size = left.size + node.count + right.size;
    node.all = node.own;
    node.all += left.all;
    node.all += right.all;
  }

  /// Whether a node at the place, which holds equal ones, had room for the task.
  bool join_equals(Id tree, std::size_t place, TaskRecord& task, const Facts& facts) {
    if (tree == kNone) return false;
    Node& node = nodes_[tree];
    const Span here = span_of(node);
    const bool equal = node.count < kTogether && node.own == facts && node.at(0).group == task.group;
    if (equal && (place == here.begin || place == here.end)) {
      if (place == here.begin) node.begin += kTogether - 1;
      ++node.count;
      node.slot(place == here.begin ? 0 : node.count - 1) = &task;
    } else if (place <= here.begin ? !join_equals(node.left, place, task, facts)
                                   : !join_equals(node.right, place - here.end, task, facts)) {
      return false;
    }
    ++node.size;
    return true;
  }

  void put(Id& tree, std::size_t place, Id added) {
    Node &node = nodes_[tree], &fresh = nodes_[added];
    if (tree == kNone || node.rank < fresh.rank) {
      const Pair parts = split(tree, place);
      fresh.left = parts.first;
      fresh.right = parts.second;
      tree = added;
      return update(fresh);
    }
    const Span here = span_of(node);
    place <= here.begin ? put(node.left, place, added) : put(node.right, place - here.end, added);
    update(node);
  }

  Removed remove_from(Id& tree, std::size_t place) {
    Node& node = nodes_[tree];
    const Span here = span_of(node);
    if (place >= here.begin && place < here.end) {
      const Removed removed{node.take(place - here.begin), node.own, node.count == 0};
      --node.size;
      if (!removed.last) return removed;
      const Id gone = std::exchange(tree, join(node.left, node.right));
      node.left = std::exchange(free_, gone);
      return removed;
    }
    const Removed removed =
        place < here.begin ? remove_from(node.left, place) : remove_from(node.right, place - here.end);
    removed.last ? update(node) : void(--node.size);
    return removed;
  }

  /// The first `count` entries of a tree, and the others.
  Pair split(Id tree, std::size_t count) {
    if (tree == kNone) return {kNone, kNone};
    Node& node = nodes_[tree];
    const Span here = span_of(node);
    Pair parts{};
    if (count <= here.begin) {
      parts = split(node.left, count);
      node.left = parts.second;
      parts.second = tree;
    } else {
      parts = split(node.right, count - here.end);
      node.right = parts.first;
      parts.first = tree;
    }
    update(node);
    return parts;
  }

  Id join(Id before, Id after) {
    if (before == kNone) return after;
    if (after == kNone) return before;
    Node &left = nodes_[before], &right = nodes_[after];
    if (left.rank >= right.rank) {
      left.right = join(left.right, after);
      update(left);
      return before;
    }
    right.left = join(before, right.left);
    update(right);
    return after;
  }

  template <class May, class Fits>
  std::size_t first_in(Id tree, std::size_t from, May& may, Fits& fits) const {
    const Node& node = nodes_[tree];
    if (from >= node.size || !may(node.all)) return node.size;
    const Span here = span_of(node);
    if (from < here.begin) {
      const std::size_t found = first_in(node.left, from, may, fits);
      if (found < here.begin) return found;
    }
    if (from < here.end && fits(node.at(0), node.own)) return std::max(from, here.begin);
    return here.end + first_in(node.right, from > here.end ? from - here.end : 0, may, fits);
  }

  template <class May, class Fits>
  std::size_t last_in(Id tree, std::size_t to, May& may, Fits& fits) const {
    const Node& node = nodes_[tree];
    to = std::min(to, node.size);
    if (to == 0 || !may(node.all)) return 0;
    const Span here = span_of(node);
    if (to > here.end) {
      const std::size_t found = last_in(node.right, to - here.end, may, fits);
      if (found > 0) return here.end + found;
    }
    if (to > here.begin && fits(node.at(0), node.own)) return std::min(to, here.end);
    return last_in(node.left, to, may, fits);
  }

  std::vector<Node> nodes_{1};  // the first stands for no node
  Id tree_ = kNone;
  Id free_ = kNone;          // nodes of no entry, linked by `left`
  std::minstd_rand random_;  // begins alike in each sequence, so that equal runs give equal trees
};

}  // namespace starpath
