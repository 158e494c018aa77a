// Block sizes of the schedules that HDSS is compared with, by hand.
#include "loops/rivals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "loops/dispatcher.hpp"
#include "support/rival_weights.hpp"
#include "tests/loops/setups.hpp"

namespace starpath::loops {
namespace {

TEST(Guided, TakesOnePartOfTheRest) {
  const Guided guided(setup_of(1000, 4, 1));
  EXPECT_EQ(guided.size(0, 1000, 1000), 250U);
  EXPECT_EQ(guided.size(0, 750, 750), 188U);
  EXPECT_EQ(guided.size(0, 3, 3), 1U);
}

TEST(Static, GivesEachItsShareOnce) {
  const double weights[] = {1, 3};
  Dispatcher dispatcher(1000, std::make_unique<Static>(setup_of(1000, 2, 1), weights));
  EXPECT_EQ(dispatcher.fetch(1), (Block{0, 750}));
  EXPECT_FALSE(dispatcher.fetch(1));
  EXPECT_EQ(dispatcher.fetch(0), (Block{750, 250}));
  EXPECT_FALSE(dispatcher.fetch(0));
}

TEST(Static, TheShareOfARetiredProcessorGoesToTheOthers) {
  const double weights[] = {1, 3};
  Dispatcher dispatcher(1000, std::make_unique<Static>(setup_of(1000, 2, 1), weights));
  EXPECT_EQ(dispatcher.fetch(1).size, 750U);
  dispatcher.retire(0);
  EXPECT_EQ(dispatcher.fetch(1).size, 250U);
  EXPECT_EQ(dispatcher.left(), 0U);
}

TEST(Static, RefusesWeightsThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& weights : std::vector<std::vector<double>>{{0, 0}, {1, -1}, {1, inf}, {1, std::nan("")}, {1}, {}})
    EXPECT_THROW(Static(setup_of(10, 2, 1), weights), std::invalid_argument);
  const double zero_and_one[] = {0, 1};
  Dispatcher dispatcher(10, std::make_unique<Static>(setup_of(10, 2, 1), zero_and_one));
  EXPECT_FALSE(dispatcher.fetch(0));
  EXPECT_EQ(dispatcher.fetch(1).size, 10U);
}

TEST(Increments, GrowWithEachRequestOfAProcessor) {
  Dispatcher linear(kMillion, std::make_unique<LinearIncrement>(setup_of(kMillion, 2, 100)));
  Dispatcher exponential(kMillion, std::make_unique<ExponentialIncrement>(setup_of(kMillion, 2, 100)));
  EXPECT_EQ(linear.fetch(0).size, 100U);
  EXPECT_EQ(exponential.fetch(0).size, 100U);
  EXPECT_EQ(linear.fetch(0).size, 200U);
  EXPECT_EQ(exponential.fetch(0).size, 200U);
  EXPECT_EQ(linear.fetch(0).size, 300U);
  EXPECT_EQ(exponential.fetch(0).size, 400U);
  EXPECT_EQ(linear.fetch(1).size, 100U);
  EXPECT_EQ(exponential.fetch(1).size, 100U);
  EXPECT_THROW(ExponentialIncrement(setup_of(1, 1, 1), 0.5), std::invalid_argument);
}

TEST(Models, AxelAddsTransferAndComputation) {
  EXPECT_DOUBLE_EQ(axel_weight({.operations_per_microsecond = 100, .bytes_per_microsecond = 50}, 10, 5), 1 / 0.2);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(axel_weight({.operations_per_microsecond = 100, .bytes_per_microsecond = inf}, 10, 5), 10);
}

TEST(Models, QilinTakesTheSlopeOfALine) {
  const TrainingPoint points[] = {{100, 1000 + 50}, {200, 1000 + 100}, {300, 1000 + 150}};
  EXPECT_NEAR(qilin_weight(points), 2, 1e-9) << "the constant part is not seen";
  EXPECT_EQ(qilin_weight({}), 0);
  EXPECT_EQ(qilin_weight({points, 1}), 0);
}

}  // namespace
}  // namespace starpath::loops
