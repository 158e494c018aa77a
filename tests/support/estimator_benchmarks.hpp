// Inputs of the estimator's applications.
#pragma once
#include "codelets/benchmarks/estimator.hpp"
#include "support/images.hpp"

namespace starpath::support {

struct Tissue {
  Image<float> potential, recovery, next;

  Tissue(Rng& rng, int width, int height, int padding)
      : potential(width, height, padding), recovery(width, height, padding), next(width, height, padding) {
    std::uniform_real_distribution<float> value(0, 1);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) potential.at(x, y) = value(rng), recovery.at(x, y) = value(rng);
  }
  /// The same tissue. A step gives its rows from `first` on.
  Tissue part(int first) const {
    Tissue part = *this;
    const int padding = static_cast<int>(next.view().stride) - next.width();
    part.recovery = part.next = Image<float>(next.width(), next.height() - first, padding);
    for (int y = first; y < next.height(); ++y)
      std::copy_n(recovery.view().row(y), next.width(), part.recovery.view().row(y - first));
    return part;
  }
  HeartStep step(int first) { return {std::as_const(potential).view(), first, recovery.view(), next.view()}; }
};

struct Points {
  std::size_t dimensions, k;
  std::vector<float> queries, points;
  std::vector<Neighbour> nearest;

  Points(std::size_t n, std::size_t dims, std::size_t count, std::size_t neighbours)
      : dimensions(dims), k(neighbours), queries(n * dims), points(count * dims), nearest(n * neighbours) {}
  /// Few distinct values, so that distances tie.
  void fill(Rng& rng) {
    for (auto* values : {&queries, &points})
      for (float& value : *values) value = static_cast<float>(rng() % 8) * 0.37F;
  }
  NeighbourSearch search(std::size_t begin, std::size_t n) {
    return {std::span(queries).subspan(begin * dimensions, n * dimensions), points, dimensions,
            std::span(nearest).subspan(begin * k, n * k), k};
  }
};

/// Items that half of the transactions hold.
inline std::vector<std::uint64_t> random_items(Rng& rng, std::size_t items, std::size_t words) {
  std::vector<std::uint64_t> bits(items * words);
  for (auto& word : bits) word = rng();
  return bits;
}

}  // namespace starpath::support
