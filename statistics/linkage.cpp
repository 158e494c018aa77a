// The recurrence of Lance and Williams (1967) on a matrix, with the nearest neighbour of each cluster kept.
#include "statistics/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace starpath {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Clusters by place: a cluster stands at its lowest leaf.
class Agglomeration {
 public:
  Agglomeration(const Distances& distances, Linkage linkage)
      : linkage_(linkage),
        between_(distances),
        node_(distances.count()),
        size_(distances.count(), 1),
        nearest_(distances.count(), kNone) {
    std::iota(node_.begin(), node_.end(), std::size_t{0});
    if (linkage_ == Linkage::ward)
      for (std::size_t i = 0; i < count(); ++i)
        for (std::size_t j = i + 1; j < count(); ++j) between_.set(i, j, between_(i, j) * between_(i, j));
    for (std::size_t i = 0; i < count(); ++i) find_nearest(i);
  }

  std::vector<Merge> run() {
    std::vector<Merge> merges;
    while (merges.size() + 1 < count()) {
      const std::size_t i = closest(), j = nearest_[i];
      const double height = linkage_ == Linkage::ward ? std::sqrt(between_(i, j)) : between_(i, j);
      merges.push_back({node_[i], node_[j], height, size_[i] + size_[j]});
      join(i, j);
      node_[i] = count() + merges.size() - 1;
    }
    return merges;
  }

 private:
  std::size_t count() const { return node_.size(); }
  bool is_there(std::size_t place) const { return size_[place] > 0; }

  /// Among the clusters behind it; the first of equally near ones.
  void find_nearest(std::size_t i) {
    nearest_[i] = kNone;
    for (std::size_t j = i + 1; j < count(); ++j)
      if (is_there(j) && (nearest_[i] == kNone || between_(i, j) < between_(i, nearest_[i]))) nearest_[i] = j;
  }

  std::size_t closest() const {
    std::size_t best = kNone;
    for (std::size_t i = 0; i < count(); ++i)
      if (is_there(i) && nearest_[i] != kNone &&
          (best == kNone || between_(i, nearest_[i]) < between_(best, nearest_[best])))
        best = i;
    return best;
  }

  double joined(std::size_t i, std::size_t j, std::size_t k) const {
    const auto a = static_cast<double>(size_[i]), b = static_cast<double>(size_[j]), c = static_cast<double>(size_[k]);
    if (linkage_ == Linkage::average) return (a * between_(i, k) + b * between_(j, k)) / (a + b);
    return std::max(0.0, ((a + c) * between_(i, k) + (b + c) * between_(j, k) - c * between_(i, j)) / (a + b + c));
  }

  void join(std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < count(); ++k)
      if (is_there(k) && k != i && k != j) between_.set(i, k, joined(i, j, k));
    size_[i] += size_[j];
    size_[j] = 0;
    find_nearest(i);
    for (std::size_t k = 0; k < j; ++k) {
      if (!is_there(k) || k == i) continue;
      if (nearest_[k] == i || nearest_[k] == j) {
        find_nearest(k);
      } else if (k < i) {
        const double now = between_(k, i), before = between_(k, nearest_[k]);
        if (now < before || (now == before && i < nearest_[k])) nearest_[k] = i;
      }
    }
  }

  Linkage linkage_;
  Distances between_;                 // of Ward, squared
  std::vector<std::size_t> node_;     // of the cluster at a place
  std::vector<std::size_t> size_;     // leaves; 0: merged into another
  std::vector<std::size_t> nearest_;  // place of the nearest cluster behind
};

}  // namespace

std::vector<Merge> link(const Distances& distances, Linkage linkage) { return Agglomeration(distances, linkage).run(); }

std::vector<std::size_t> leaf_order(std::size_t leaves, std::span<const Merge> merges) {
  std::vector<std::size_t> order, to_visit;
  if (leaves > 0) to_visit.push_back(leaves + merges.size() - 1);
  while (!to_visit.empty()) {
    const std::size_t node = to_visit.back();
    to_visit.pop_back();
    if (node < leaves) {
      order.push_back(node);
      continue;
    }
    to_visit.push_back(merges[node - leaves].second);
    to_visit.push_back(merges[node - leaves].first);
  }
  return order;
}

std::vector<int> cut(std::size_t leaves, std::span<const Merge> merges, std::size_t k) {
  std::vector<std::size_t> top(leaves + merges.size());  // the node that a node is part of after the cut
  std::iota(top.begin(), top.end(), std::size_t{0});
  for (std::size_t i = leaves - k; i-- > 0;) {
    const std::size_t node = top[leaves + i];
    top[merges[i].first] = node;
    top[merges[i].second] = node;
  }
  std::vector<int> branches(leaves), number(top.size(), -1);
  int next = 0;
  for (const std::size_t leaf : leaf_order(leaves, merges)) {
    if (number[top[leaf]] < 0) number[top[leaf]] = next++;
    branches[leaf] = number[top[leaf]];
  }
  return branches;
}

}  // namespace starpath
