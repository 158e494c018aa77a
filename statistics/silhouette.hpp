// How well things lie in their clusters. Pure.
#pragma once
#include <cstddef>
#include <span>

#include "statistics/distances.hpp"

namespace starpath {

struct Silhouette {
  double mean = 0;            // -1 to 1
  double standard_error = 0;  // of the mean; 0 of less than two things
};

/// Silhouettes (Rousseeuw 1987) of things in clusters 0 to k - 1, some of which may be empty. A thing alone in its
/// cluster has 0, and so has every one where there is one cluster.
Silhouette silhouette(const Distances& distances, std::span<const int> clusters, std::size_t k);

}  // namespace starpath
