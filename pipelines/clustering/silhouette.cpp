// Mean distances to clusters, and what follows from them.
#include "pipelines/clustering/silhouette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace starpath {
namespace {

/// `totals`: of the thing's distances to each cluster.
double silhouette_of(std::size_t own, std::span<const double> totals, std::span<const double> sizes) {
  if (sizes[own] < 2) return 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < totals.size(); ++c)
    if (c != own && sizes[c] > 0) nearest = std::min(nearest, totals[c] / sizes[c]);
  const double inside = totals[own] / (sizes[own] - 1), larger = std::max(inside, nearest);
  return std::isfinite(larger) && larger > 0 ? (nearest - inside) / larger : 0;
}

}  // namespace

Silhouette silhouette(const Distances& distances, std::span<const int> clusters, std::size_t k) {
  std::vector<double> sizes(k), totals(k);
  for (const int cluster : clusters) ++sizes[static_cast<std::size_t>(cluster)];
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    std::ranges::fill(totals, 0);
    for (std::size_t j = 0; j < clusters.size(); ++j) totals[static_cast<std::size_t>(clusters[j])] += distances(i, j);
    const double each = silhouette_of(static_cast<std::size_t>(clusters[i]), totals, sizes);
    sum += each;
    squares += each * each;
  }
  const auto things = static_cast<double>(clusters.size());
  Silhouette found;
  if (!clusters.empty()) found.mean = sum / things;
  if (clusters.size() > 1)
    found.standard_error = std::sqrt(std::max(0.0, squares / things - found.mean * found.mean) / (things - 1));
  return found;
}

}  // namespace starpath
