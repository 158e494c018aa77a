// Boost's R-tree.
#include "io/annotations/box_tree.hpp"

#define BOOST_ALLOW_DEPRECATED_HEADERS  // Boost.Geometry 1.83 includes one and says so
#include <algorithm>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/geometry/strategies/strategies.hpp>  // Boost 1.83's R-tree leaves the relations of boxes to its user
#include <boost/iterator/function_output_iterator.hpp>
#include <utility>

namespace starpath::io {
namespace {

namespace geometry = boost::geometry;

using TreeBox = geometry::model::box<geometry::model::point<double, 2, geometry::cs::cartesian>>;
using NumberedBox = std::pair<TreeBox, std::size_t>;

TreeBox tree_box(const Box& box) { return {{box.x0, box.y0}, {box.x1, box.y1}}; }

std::vector<NumberedBox> numbered(const std::vector<Box>& boxes) {
  std::vector<NumberedBox> all;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].x0 <= boxes[i].x1) all.emplace_back(tree_box(boxes[i]), i);
  return all;
}

}  // namespace

struct BoxTree::Tree {
  // 16 boxes a node: Boost wants a number; no other was tried.
  geometry::index::rtree<NumberedBox, geometry::index::linear<16>> boxes;
};

BoxTree::BoxTree(const std::vector<Box>& boxes)
    : tree_(std::make_shared<const Tree>(Tree{decltype(Tree::boxes)(numbered(boxes))})) {}

void BoxTree::touching(const Box& box, std::vector<std::size_t>& numbers) const {
  numbers.clear();
  tree_->boxes.query(
      geometry::index::intersects(tree_box(box)),
      boost::make_function_output_iterator([&](const NumberedBox& found) { numbers.push_back(found.second); }));
  std::ranges::sort(numbers);
}

std::vector<std::size_t> BoxTree::touching(const Box& box) const {
  std::vector<std::size_t> numbers;
  touching(box, numbers);
  return numbers;
}

}  // namespace starpath::io
