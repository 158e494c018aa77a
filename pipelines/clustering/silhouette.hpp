// How well things lie in their clusters. Pure.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace starpath {

/// Distances between each two of n things.
class Distances {
 public:
  explicit Distances(std::size_t count) : count_(count), values_(count * count) {}

  std::size_t count() const { return count_; }
  double operator()(std::size_t i, std::size_t j) const { return values_[i * count_ + j]; }
  void set(std::size_t i, std::size_t j, double value) { values_[i * count_ + j] = values_[j * count_ + i] = value; }

 private:
  std::size_t count_;
  std::vector<double> values_;
};

struct Silhouette {
  double mean = 0;            // -1 to 1
  double standard_error = 0;  // of the mean; 0 where there are fewer than two things
};

/// Silhouettes (Rousseeuw 1987) of things in clusters 0 to k - 1, where clusters may be empty. The silhouette of a
/// thing alone in its cluster is 0. Where there is one cluster, all silhouettes are 0.
Silhouette silhouette(const Distances& distances, std::span<const int> clusters, std::size_t k);

}  // namespace starpath
