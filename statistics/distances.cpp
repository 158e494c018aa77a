// Sums of squares.
#include "statistics/distances.hpp"

#include <cmath>

namespace starpath {

Distances euclidean_distances(const std::vector<std::vector<double>>& rows) {
  Distances distances(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < rows[i].size(); ++c) sum += (rows[i][c] - rows[j][c]) * (rows[i][c] - rows[j][c]);
      distances.set(i, j, std::sqrt(sum));
    }
  return distances;
}

}  // namespace starpath
