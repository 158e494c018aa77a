// Agglomerative clustering of a few thousand rows, exact and with total orders, so that equal rows give equal trees.
// Pure.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "statistics/distances.hpp"

namespace starpath {

enum class Linkage {
  ward,     // the two whose union adds least to the squared distances from centres (Ward 1963); of Euclidean distances
  average,  // the two with the least mean distance between members (Sokal, Michener 1958)
};

/// Two nodes that become one. Leaves are 0 to n - 1, the node of merge i is n + i. `first` is the one with the lowest
/// leaf.
struct Merge {
  std::size_t first, second;
  double height;  // distance of the two; never less than that of the merge before, but for rounding
  std::size_t leaves;
};

/// The n - 1 merges of n things; none of 0 or 1. Of pairs that are equally near, the one with the lowest first leaves
/// merges first. Memory for one more matrix; time n^2 in general, n^3 at worst.
std::vector<Merge> link(const Distances& distances, Linkage linkage);

/// Leaves from left to right, so that no branches of the tree cross: the one with the lowest leaf stands first.
std::vector<std::size_t> leaf_order(std::size_t leaves, std::span<const Merge> merges);

/// The tree cut into k branches, 1 <= k <= leaves: of each leaf the number of its branch from 0, in the order of
/// leaf_order.
std::vector<int> cut(std::size_t leaves, std::span<const Merge> merges, std::size_t k);

}  // namespace starpath
