// Tasks in an order that is no sorting: each is put at a place, and may leave from any place.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// A sequence of tasks, found by place (0 is the head) and by facts. `Facts` holds what a search asks of an entry and
/// of many entries at once: a default one says that there is no entry, and `a += b` makes what is so of both. Each call
/// takes logarithmic time in the tasks, but for searches whose `may` is true of entries that do not fit. Not
/// thread-safe. Source: treaps (Seidel and Aragon, Algorithmica 1996), by place instead of by key.
template <class Facts>
class TaskSequence {
 public:
  std::size_t size() const { return nodes_[tree_].size; }
  /// What is so of all entries.
  const Facts& facts() const { return nodes_[tree_].all; }

  const TaskRecord& at(std::size_t place) const {
    Id tree = tree_;
    for (std::size_t here = nodes_[nodes_[tree].left].size; place != here; here = nodes_[nodes_[tree].left].size) {
      tree = place < here ? nodes_[tree].left : nodes_[tree].right;
      if (place > here) place -= here + 1;
    }
    return *nodes_[tree].task;
  }

  /// Puts the task in front of what is at `place` <= size().
  void insert(std::size_t place, TaskRecord& task, const Facts& facts) {
    Id added = static_cast<Id>(nodes_.size());
    if (free_ != kNone) {
      added = free_;
      free_ = nodes_[free_].left;
    } else {
      nodes_.emplace_back();
    }
    nodes_[added] = {
        .own = facts, .all = facts, .task = &task, .size = 1, .rank = static_cast<std::uint32_t>(random_())};
    const auto [before, after] = split(tree_, place);
    tree_ = join(join(before, added), after);
  }

  /// Takes the task at `place` < size() out.
  TaskRecord* remove(std::size_t place) {
    const auto [before, rest] = split(tree_, place);
    const auto [removed, after] = split(rest, 1);
    tree_ = join(before, after);
    nodes_[removed].left = free_;
    free_ = removed;
    return nodes_[removed].task;
  }

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

  struct Node {
    Facts own, all;  // of the entry, and of the whole tree
    TaskRecord* task = nullptr;
    std::size_t size = 0;
    Id left = kNone, right = kNone;
    std::uint32_t rank = 0;  // at random; the highest is on top
  };
  struct Pair {
    Id first, second;
  };

  void update(Node& node) {
    const Node &left = nodes_[node.left], &right = nodes_[node.right];
    node.size = left.size + 1 + right.size;
    node.all = node.own;
    node.all += left.all;
    node.all += right.all;
  }

  /// The first `count` entries of a tree, and the others.
  Pair split(Id tree, std::size_t count) {
    if (tree == kNone) return {kNone, kNone};
    Node& node = nodes_[tree];
    const std::size_t before = nodes_[node.left].size;
    Pair parts{};
    if (count <= before) {
      parts = split(node.left, count);
      node.left = parts.second;
      parts.second = tree;
    } else {
      parts = split(node.right, count - before - 1);
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
    const std::size_t here = nodes_[node.left].size;
    if (from < here) {
      const std::size_t found = first_in(node.left, from, may, fits);
      if (found < here) return found;
    }
    if (from <= here && fits(*node.task, node.own)) return here;
    return here + 1 + first_in(node.right, from > here ? from - here - 1 : 0, may, fits);
  }

  template <class May, class Fits>
  std::size_t last_in(Id tree, std::size_t to, May& may, Fits& fits) const {
    const Node& node = nodes_[tree];
    to = std::min(to, node.size);
    if (to == 0 || !may(node.all)) return 0;
    const std::size_t here = nodes_[node.left].size;
    if (to > here + 1) {
      const std::size_t found = last_in(node.right, to - here - 1, may, fits);
      if (found > 0) return here + 1 + found;
    }
    if (to > here && fits(*node.task, node.own)) return here + 1;
    return last_in(node.left, to, may, fits);
  }

  std::vector<Node> nodes_{1};  // the first stands for no node
  Id tree_ = kNone;
  Id free_ = kNone;          // nodes of no entry, linked by `left`
  std::minstd_rand random_;  // begins alike in each sequence, so that equal runs give equal trees
};

}  // namespace starpath
