// Which core drives which GPU: an assignment of minimal cost.
#include "sched_policies/topology/choose_cores.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace starpath {
namespace {

constexpr unsigned kFarthest = 2;
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

using Costs = std::vector<std::vector<std::int64_t>>;  // [row][column]

/// The Hungarian method: rows are assigned one after the other, each along the cheapest augmenting path. Potentials
/// keep the reduced costs non-negative, so a shortest-path search finds that path.
class Assignment {
 public:
  explicit Assignment(const Costs& costs)
      : costs_(costs),
        columns_(costs.empty() ? 0 : costs[0].size()),
        row_price_(costs.size()),
        column_price_(columns_),
        owner_(columns_, kNobody) {
    for (std::size_t row = 0; row < costs.size(); ++row) place(row);
  }

  /// By column: its row; kNobody for none.
  const std::vector<std::size_t>& owners() const { return owner_; }

 private:
  static constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();

  void place(std::size_t row) {
    std::vector<std::int64_t> reach(columns_, kUnreached);  // cost of the cheapest path that ends in a column
    std::vector<std::size_t> previous(columns_, kNobody);   // the column before it on that path
    std::vector<bool> settled(columns_, false);
    std::int64_t paid = 0;
    std::size_t last = kNobody;
    std::size_t from = row;
    do {
      for (std::size_t column = 0; column < columns_; ++column) {
        const std::int64_t through = paid + costs_[from][column] - row_price_[from] - column_price_[column];
        if (settled[column] || through >= reach[column]) continue;
        reach[column] = through;
        previous[column] = last;
      }
      last = nearest(reach, settled);
      settled[last] = true;
      paid = reach[last];
      from = owner_[last];
    } while (from != kNobody);
    reprice(row, reach, settled, paid);
    for (std::size_t column = last; column != kNobody; column = previous[column])
      owner_[column] = previous[column] == kNobody ? row : owner_[previous[column]];
  }

  std::size_t nearest(const std::vector<std::int64_t>& reach, const std::vector<bool>& settled) const {
    std::size_t best = kNobody;
    for (std::size_t column = 0; column < columns_; ++column)
      if (!settled[column] && (best == kNobody || reach[column] < reach[best])) best = column;
    return best;
  }

  void reprice(std::size_t row, const std::vector<std::int64_t>& reach, const std::vector<bool>& settled,
               std::int64_t paid) {
    row_price_[row] += paid;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (!settled[column]) continue;
      column_price_[column] -= paid - reach[column];
      if (owner_[column] != kNobody) row_price_[owner_[column]] += paid - reach[column];
    }
  }

  const Costs& costs_;
  std::size_t columns_;
  std::vector<std::int64_t> row_price_, column_price_;
  std::vector<std::size_t> owner_;
};

/// A row a GPU; a column a core, and after the cores one column "no core" for each GPU. One step of distance outweighs
/// every preference among cores, and having a core outweighs every distance.
Costs costs_of(const std::vector<Location>& gpus, const std::vector<Location>& cores, Placement placement) {
  const auto rows = static_cast<std::int64_t>(gpus.size());
  const auto columns = static_cast<std::int64_t>(cores.size());
  const std::int64_t step = rows * rows * columns + 1;
  const std::int64_t no_core = step * (kFarthest * rows + 1);
  Costs costs;
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    const auto weight = static_cast<std::int64_t>(gpus.size() - gpu);
    costs.emplace_back(cores.size() + gpus.size(), no_core * weight);
    for (std::size_t core = 0; core < cores.size(); ++core) {
      const unsigned away = distance(cores[core], gpus[gpu]);
      const unsigned steps = placement == Placement::worst ? kFarthest - away : away;
      costs[gpu][core] = steps * step + static_cast<std::int64_t>(core) * weight;
    }
  }
  return costs;
}

bool differ(std::optional<unsigned> one, std::optional<unsigned> other) { return one && other && *one != *other; }

}  // namespace

unsigned distance(const Location& core, const Location& gpu) {
  return (differ(core.numa_node, gpu.numa_node) ? 1U : 0U) + (differ(core.package, gpu.package) ? 1U : 0U);
}

std::vector<std::optional<std::size_t>> choose_cores(const std::vector<Location>& gpus,
                                                     const std::vector<Location>& cores, Placement placement) {
  std::vector<std::optional<std::size_t>> chosen(gpus.size());
  if (placement == Placement::os) return chosen;
  const Costs costs = costs_of(gpus, cores, placement);
  const Assignment assignment(costs);
  for (std::size_t core = 0; core < cores.size() && !gpus.empty(); ++core)
    if (const std::size_t gpu = assignment.owners()[core]; gpu != kNobody) chosen[gpu] = core;
  return chosen;
}

}  // namespace starpath
