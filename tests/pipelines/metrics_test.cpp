// Quality measures on label images small enough to count by hand.
#include "bench/quality/metrics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/images.hpp"

namespace starpath {
namespace {

using Labels = support::Image<std::int32_t>;

TEST(Metrics, AreOneForEqualObjectsWhateverTheirLabels) {
  const Labels truth({{1, 1, 0}, {0, 0, 2}}), predicted({{7, 7, 0}, {0, 0, 3}});
  const auto q = compare_labels(truth.view(), predicted.view());
  EXPECT_EQ(q.dice, 1);
  EXPECT_EQ(q.aji, 1);
  EXPECT_EQ(q.f1, 1);
  EXPECT_EQ(q.pq, 1);
  EXPECT_EQ(q.truth_objects, 2);
  EXPECT_EQ(q.predicted_objects, 2);
  EXPECT_EQ(q.matches, 2);
}

TEST(Metrics, OfEmptyImages) {
  const Labels empty(4, 3), one({{0, 0, 0, 0}, {0, 5, 5, 0}, {0, 0, 0, 0}});
  const auto both = compare_labels(empty.view(), empty.view());
  EXPECT_EQ(both.dice, 1);
  EXPECT_EQ(both.aji, 1);
  EXPECT_EQ(both.f1, 1);
  EXPECT_EQ(both.pq, 1);
  for (const auto& q : {compare_labels(empty.view(), one.view()), compare_labels(one.view(), empty.view())}) {
    EXPECT_EQ(q.dice, 0);
    EXPECT_EQ(q.aji, 0);
    EXPECT_EQ(q.f1, 0);
    EXPECT_EQ(q.pq, 0);
  }
}

TEST(Metrics, ByHand) {
  // Truth: 1 (4 pixels), 2 (4), 3 (1). Predicted: 1 (3, all in truth 1), 2 (3: 2 in truth 2), 3 (2, in nothing).
  const Labels truth({{1, 1, 0, 2, 2},  //
                      {1, 1, 0, 2, 2},
                      {0, 0, 0, 0, 0},
                      {0, 0, 0, 0, 3}});
  const Labels predicted({{1, 1, 2, 2, 0},  //
                          {1, 0, 0, 2, 0},
                          {0, 0, 0, 0, 0},
                          {3, 3, 0, 0, 0}});
  const auto q = compare_labels(truth.view(), predicted.view());
  EXPECT_DOUBLE_EQ(q.dice, 2.0 * 5 / (9 + 8));
  // Intersections 3 + 2; unions 4 + 5, the lost truth 1, the false object 2.
  EXPECT_DOUBLE_EQ(q.aji, 5.0 / (4 + 5 + 1 + 2));
  EXPECT_EQ(q.matches, 1);  // 3/4; 2/5 is too little
  EXPECT_DOUBLE_EQ(q.f1, 2.0 / (3 + 3));
  EXPECT_DOUBLE_EQ(q.pq, 0.75 / (1 + 2 / 2.0 + 2 / 2.0));  // one match of 3/4; two false, two lost
}

TEST(Metrics, PanopticQualityAddsTheMatches) {
  // 2/3 and 1 match; 5 is false. Nothing is lost.
  const Labels truth({{1, 1, 1, 0, 2}, {0, 0, 0, 0, 2}}), predicted({{4, 4, 0, 0, 3}, {0, 5, 0, 0, 3}});
  const auto q = compare_labels(truth.view(), predicted.view());
  EXPECT_EQ(q.matches, 2);
  EXPECT_DOUBLE_EQ(q.pq, (2.0 / 3 + 1) / (2 + 1 / 2.0));
}

TEST(Metrics, MergedObjectsArePunished) {
  const Labels truth({{1, 1, 1, 2, 2, 2}}), merged({{4, 4, 4, 4, 4, 4}});
  const auto q = compare_labels(truth.view(), merged.view());
  EXPECT_EQ(q.dice, 1);
  // Both true objects take the one predicted: intersections 3 + 3, unions 6 + 6.
  EXPECT_DOUBLE_EQ(q.aji, 0.5);
  EXPECT_EQ(q.matches, 0);  // exactly one half is no match
  const auto split = compare_labels(merged.view(), truth.view());
  // The true object takes one half (3 of 6), the other half is left over (3).
  EXPECT_DOUBLE_EQ(split.aji, 3.0 / (6 + 3));
}

TEST(Metrics, ObjectsNeedNotBeConnectedAndPaddingIsNotLookedAt) {
  Labels truth({{1, 0, 1}, {0, 2, 0}}, 0), predicted({{1, 0, 1}, {0, 2, 0}}, 9);
  for (int i = 3; i < 12; ++i) predicted.view().row(0)[i] = 8;
  EXPECT_EQ(compare_labels(truth.view(), predicted.view()).aji, 1);
}

TEST(Metrics, RefuseWhatCannotBeCompared) {
  const Labels small(2, 2), large(3, 2), negative({{0, -1}, {0, 0}});
  EXPECT_THROW(compare_labels(small.view(), large.view()), std::invalid_argument);
  EXPECT_THROW(compare_labels(small.view(), negative.view()), std::invalid_argument);
}

}  // namespace
}  // namespace starpath
