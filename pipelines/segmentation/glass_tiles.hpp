// Which points lie on tiles that are all glass. Pure.
#pragma once
#include <iterator>
#include <map>

#include "pipelines/run/tiling.hpp"

namespace starpath {

/// Tiles lie in rows and columns, whatever of them is missing or cut: one is looked up by its row and its place there.
class GlassTiles {
 public:
  void add(const Rect& core) { rows_[static_cast<double>(core.y)][static_cast<double>(core.x)] = core; }

  bool holds(double x, double y) const {
    const auto below = rows_.upper_bound(y);
    if (below == rows_.begin()) return false;
    const auto& row = std::prev(below)->second;
    const auto next = row.upper_bound(x);
    if (next == row.begin()) return false;
    const Rect& core = std::prev(next)->second;
    return x < static_cast<double>(core.right()) && y < static_cast<double>(core.bottom());
  }

 private:
  std::map<double, std::map<double, Rect>> rows_;  // by their top, then by their left
};

}  // namespace starpath
