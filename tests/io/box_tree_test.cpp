// Boxes that touch.
#include "io/annotations/box_tree.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath::io {
namespace {

using Numbers = std::vector<std::size_t>;

TEST(BoxTree, EdgesAndCornersTouchAndEmptyBoxesDoNot) {
  const BoxTree tree({{0, 0, 4, 4}, {4, 4, 8, 8}, {2, 2, 2, 2}, {5, 5, -5, -5}});
  EXPECT_EQ(tree.touching({4, 4, 4, 4}), (Numbers{0, 1}));
  EXPECT_EQ(tree.touching({1, 1, 3, 3}), (Numbers{0, 2}));
  EXPECT_EQ(tree.touching({-9, -9, 9, 9}), (Numbers{0, 1, 2}));
  EXPECT_EQ(tree.touching({9, 0, 10, 8}), Numbers{});
  EXPECT_EQ(BoxTree({}).touching({0, 0, 1, 1}), Numbers{});
}

TEST(BoxTree, FindsWhatComparingEachFinds) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(0, 100), size(0, 9);
  const auto box = [&] {
    const double x = place(random), y = place(random);
    return Box{x, y, x + size(random), y + size(random)};
  };
  std::vector<Box> boxes;
  for (int i = 0; i < 500; ++i) boxes.push_back(box());
  const BoxTree tree(boxes), copy = tree;
  for (int round = 0; round < 200; ++round) {
    const Box asked = box();
    Numbers expected;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].x0 <= asked.x1 && asked.x0 <= boxes[i].x1 && boxes[i].y0 <= asked.y1 && asked.y0 <= boxes[i].y1)
        expected.push_back(i);
    ASSERT_EQ(copy.touching(asked), expected);
  }
}

}  // namespace
}  // namespace starpath::io
