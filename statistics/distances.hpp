// Distances between each two of some things. Pure.
#pragma once
#include <cstddef>
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

/// Euclidean, between rows of equal length.
Distances euclidean_distances(const std::vector<std::vector<double>>& rows);

}  // namespace starpath
