// Which objects are left out for their stain.
#include "pipelines/segmentation/stain_check.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"

namespace starpath {
namespace {

/// A store of one tile whose objects have these values of haematoxylin and eosin.
class StainCheck : public ::testing::Test {
 protected:
  io::ResultStore store_of(const std::vector<std::pair<double, double>>& values) {
    const io::RunInfo info{
        "", 64, 64, 0.5, 64, 64, 0.5, 1, 0, 0, 64, 64, {"nucleus_haematoxylin_mean", "nucleus_eosin_mean"}, ""};
    io::ResultStore store = io::ResultStore::create(folder_.path() / std::to_string(stores_++), {"a", "b", "{}"}, info);
    std::vector<io::NucleusRecord> nuclei;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const auto x = static_cast<std::int32_t>(i);  // each object is the pixel (i, 0)
      nuclei.push_back({0,
                        at,
                        0,
                        at,
                        0,
                        at + 1,
                        1,
                        static_cast<double>(i) + 0.5,
                        0.5,
                        1,
                        io::NucleusRole::owned,
                        {{x, 0}, {x + 1, 0}, {x + 1, 1}, {x, 1}},
                        {values[i].first, values[i].second}});
    }
    io::TileStore(store).commit_tile({0, 0, 0, 64, 64, io::TileState::done, 0, 0, ""}, nuclei);
    return store;
  }
  /// Row ids that stay of all.
  static std::vector<std::int64_t> kept(const io::ResultStore& store) {
    std::vector<std::int64_t> all;
    io::NucleusStore(store).for_each_stored(false,
                                            [&](std::int64_t row, const io::NucleusRecord&) { all.push_back(row); });
    const auto before = std::ssize(all);
    const std::int64_t left_out = leave_out_eosin(io::NucleusStore(store), all);
    EXPECT_EQ(left_out, before - std::ssize(all));
    return all;
  }

  TemporaryFolder folder_;
  int stores_ = 0;
};

TEST_F(StainCheck, WhatHoldsMoreEosinGoes) {
  // The more stain, the lower the value.
  EXPECT_EQ(kept(store_of({{40, 120}, {150, 90}, {60, 61}, {80, 80}, {30, 200}})),
            (std::vector<std::int64_t>{0, 2, 4}));
}

TEST_F(StainCheck, MostOfWhatWasFoundStays) {
  EXPECT_EQ(kept(store_of({{40, 120}, {150, 90}})).size(), 1u);
  EXPECT_EQ(kept(store_of({{40, 120}, {150, 90}, {150, 90}})).size(), 3u);
}

TEST_F(StainCheck, ValuesThatAreMissingDecideNothing) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(kept(store_of({{none, 90}, {40, none}, {none, none}})).size(), 3u);
  EXPECT_TRUE(kept(store_of({})).empty());
}

}  // namespace
}  // namespace starpath
