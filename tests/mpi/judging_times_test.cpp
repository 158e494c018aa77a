// Times of judging tiles: by the facts of a tile, from one run to the next.
#include "mpi/streams/judging_times.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/apps/command.hpp"

namespace starpath::mpi {
namespace {

void set_field(TileFacts& facts, double level_pixels, double tissue_pixels) {
  facts.set(Fact::level_pixels, level_pixels);
  facts.set(Fact::tissue_pixels, tissue_pixels);
}

const JudgingTraits kTraits{"nbia_judging", {Fact::level_pixels, Fact::tissue_pixels}};

ProfileUse::Report fails() {
  return [](const std::string& line) { ADD_FAILURE() << line; };
}

TEST(JudgingTimes, DependOnTheTissueOfAField) {
  JudgingTimes times(kTraits, {"cpu", "gpu"}, {}, fails());
  TileFacts glass, tissue;
  set_field(glass, 4096, 10);
  set_field(tissue, 4096, 4000);
  EXPECT_TRUE(std::isnan(times.of(tissue)[0])) << "nothing is known yet";
  times.learn(glass, 0, 0.001);
  times.learn(glass, 0, 0.001);
  times.learn(tissue, 0, 0.005);
  times.learn(tissue, 0, 0.005);
  times.learn(tissue, 1, 0.0002);
  EXPECT_DOUBLE_EQ(times.of(glass)[0], 0.001);
  EXPECT_DOUBLE_EQ(times.of(tissue)[0], 0.005);
  EXPECT_DOUBLE_EQ(times.of(tissue)[1], 0.0002);
}

TEST(JudgingTimes, OfAFieldWithoutItsFactsAreUnknown) {
  JudgingTimes times(kTraits, {"cpu"}, {}, fails());
  TileFacts known, half;
  set_field(known, 4096, 0);
  half.set(Fact::level_pixels, 4096);
  times.learn(half, 0, 1);
  EXPECT_TRUE(std::isnan(times.of(known)[0]));
  times.learn(known, 0, 1);
  EXPECT_EQ(times.of(known)[0], 1);
  EXPECT_TRUE(std::isnan(times.of(half)[0])) << "tissue that was not counted is not 0";
}

TEST(JudgingTimes, AreKeptInAProfile) {
  const test::TemporaryFolder folder;
  const JudgingProfile profile{.file = folder / "times.profile"};
  TileFacts facts;
  set_field(facts, 4096, 2000);
  {
    JudgingTimes first(kTraits, {"cpu", "gpu"}, profile, fails());
    first.learn(facts, 1, 0.25);
    first.save();
  }
  const JudgingTimes second(kTraits, {"gpu"}, profile, fails());  // classes have other numbers
  EXPECT_EQ(second.of(facts)[0], 0.25);
}

}  // namespace
}  // namespace starpath::mpi
