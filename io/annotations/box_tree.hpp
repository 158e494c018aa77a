// Boxes, asked for those that touch another one. Pure.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

/// An R-tree. Copies share it. Thread-safe.
class BoxTree {
 public:
  /// Boxes are known by their numbers from 0; an empty one (x1 < x0) touches nothing.
  explicit BoxTree(const std::vector<Box>& boxes);

  /// The numbers of those that share a point with `box`, rising.
  std::vector<std::size_t> touching(const Box& box) const;
  /// The same in place of `numbers`.
  void touching(const Box& box, std::vector<std::size_t>& numbers) const;

 private:
  struct Tree;
  std::shared_ptr<const Tree> tree_;
};

}  // namespace starpath::io
