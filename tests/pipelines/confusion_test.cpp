// Figures of a classifier.
#include "pipelines/classification/confusion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace starpath {
namespace {

TEST(Confusion, SharesAreThoseOfTheTextbook) {
  Confusion table(3);
  table.add(0, 0, 6);
  table.add(0, 1, 2);
  table.add(1, 1, 1);
  table.add(1, 0, 1);
  EXPECT_DOUBLE_EQ(table.accuracy(), 0.7);
  EXPECT_DOUBLE_EQ(table.majority(), 0.8);
  EXPECT_DOUBLE_EQ(table.recall(0), 0.75);
  EXPECT_DOUBLE_EQ(table.precision(0), 6.0 / 7);
  EXPECT_DOUBLE_EQ(table.balanced_accuracy(), (0.75 + 0.5) / 2) << "of the classes that are there";
  EXPECT_EQ(table.present(), 2u);
  EXPECT_TRUE(std::isnan(table.recall(2)));
  EXPECT_TRUE(std::isnan(Confusion(2).accuracy()));
}

}  // namespace
}  // namespace starpath
