// results.sqlite: what goes in comes out, in an order of its own, and only for the same run.
#include "io/results/result_store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using testing::failure;
using testing::says;

class ResultStoreTest : public testing::Results {};

std::vector<NucleusRecord> stored(const ResultStore& store, bool with_features = true) {
  std::vector<NucleusRecord> all;
  NucleusStore(store).for_each_stored(with_features, [&](std::int64_t, const NucleusRecord& n) { all.push_back(n); });
  return all;
}

std::vector<std::pair<std::int64_t, NucleusRecord>> accepted(const ResultStore& store) {
  std::vector<std::pair<std::int64_t, NucleusRecord>> all;
  NucleusStore(store).for_each_nucleus(true, [&](std::int64_t id, const NucleusRecord& n) { all.emplace_back(id, n); });
  return all;
}

void expect_same(const NucleusRecord& a, const NucleusRecord& b) {
  const auto numbers = [](const NucleusRecord& n) {
    return std::array{
        n.tile, n.first_x, n.first_y, n.x0, n.y0, n.x1, n.y1, std::int64_t{n.area}, static_cast<std::int64_t>(n.role)};
  };
  EXPECT_EQ(numbers(a), numbers(b));
  EXPECT_EQ(a.centroid_x, b.centroid_x);
  EXPECT_EQ(a.centroid_y, b.centroid_y);
  EXPECT_EQ(a.contour, b.contour);
  EXPECT_EQ(a.features, b.features);
}

TEST_F(ResultStoreTest, GivesBackTheOriginOrThatThereIsNone) {
  RunInfo info = testing::info();
  EXPECT_EQ(ResultStore::create(file, testing::key(), info).info().origin, std::nullopt) << "of an older version";
  info.origin = CanvasPlace{-3, 70'000};
  const std::string other = (folder / "other.sqlite").string();
  EXPECT_EQ(ResultStore::create(other, testing::key(), info).info().origin, info.origin);
}

TEST_F(ResultStoreTest, GivesBackInfoTilesAndNuclei) {
  const auto tiles = testing::tiles(1, 1, 60, 5);
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    TileStore(store).commit_tile(tiles[0].record, tiles[0].nuclei);
    TileStore(store).commit_tile({7, 60, 0, 40, 60, TileState::failed, 0, 0, "level 0, place 60,0: decode error"}, {});
    TileStore(store).commit_tile({3, 0, 60, 40, 60, TileState::background, 0.125, 0, ""}, {});
  }
  const ResultStore store = ResultStore::open(file);
  const RunInfo info = store.info(), expected = testing::info();
  EXPECT_EQ(info.slide_path, expected.slide_path);
  EXPECT_EQ(info.slide_width, expected.slide_width);
  EXPECT_EQ(info.slide_height, expected.slide_height);
  EXPECT_EQ(info.slide_mpp, expected.slide_mpp);
  EXPECT_EQ(info.width, expected.width);
  EXPECT_EQ(info.height, expected.height);
  EXPECT_EQ(info.mpp, expected.mpp);
  EXPECT_EQ(info.scale, expected.scale);
  EXPECT_EQ(info.roi_width, expected.roi_width);
  EXPECT_EQ(info.feature_names, expected.feature_names);

  const auto records = TileStore(store).tiles();
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].state, TileState::done);
  EXPECT_EQ(records[0].compute_seconds, 0.5);
  EXPECT_EQ(records[1].index, 3);
  EXPECT_EQ(records[1].state, TileState::background);
  EXPECT_EQ(records[2].state, TileState::failed);
  EXPECT_EQ(records[2].x, 60);
  EXPECT_EQ(records[2].error, "level 0, place 60,0: decode error");

  const auto nuclei = stored(store);
  ASSERT_EQ(nuclei.size(), tiles[0].nuclei.size());
  for (std::size_t i = 0; i < nuclei.size(); ++i) expect_same(nuclei[i], tiles[0].nuclei[i]);
  EXPECT_EQ(NucleusStore(store).nucleus_count(), 0);
  EXPECT_TRUE(stored(store, false)[0].features.empty());
}

TEST_F(ResultStoreTest, KeepsFeaturesThatAreNoNumbers) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  auto tile = testing::tiles(1, 1, 40, 1)[0];
  const double infinity = std::numeric_limits<double>::infinity();
  tile.nuclei[0].features = {std::nan(""), infinity, -0.1};
  TileStore(store).commit_tile(tile.record, tile.nuclei);
  const auto features = stored(store)[0].features;
  EXPECT_TRUE(std::isnan(features[0]));
  EXPECT_EQ(features[1], infinity);
  EXPECT_EQ(features[2], -0.1);
}

TEST_F(ResultStoreTest, OrderAndIdsDoNotDependOnTheOrderOfCommits) {
  std::vector<std::pair<std::int64_t, NucleusRecord>> first;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    auto tiles = testing::tiles(4, 3, 40, 99);
    std::shuffle(tiles.begin(), tiles.end(), std::mt19937(seed));
    const std::string path = file + std::to_string(seed);
    ResultStore store = ResultStore::create(path, testing::key(), testing::info());
    for (const auto& tile : tiles) TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
    const auto all = accepted(store);
    ASSERT_EQ(static_cast<std::int64_t>(all.size()), NucleusStore(store).nucleus_count());
    if (seed == 1) first = all;
    ASSERT_EQ(all.size(), first.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i].first, static_cast<std::int64_t>(i + 1));
      expect_same(all[i].second, first[i].second);
      if (i > 0) {
        EXPECT_LT(std::pair(all[i - 1].second.first_y, all[i - 1].second.first_x),
                  std::pair(all[i].second.first_y, all[i].second.first_x));
      }
    }
  }
}

TEST_F(ResultStoreTest, RowQueriesFindEveryNucleusThatMeetsThem) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  for (const auto& tile : testing::tiles(3, 3, 50, 4)) TileStore(store).commit_tile(tile.record, tile.nuclei);
  testing::accept_owned(store);
  const auto all = accepted(store);
  for (std::int64_t y0 = -5; y0 < 160; y0 += 7)
    for (const std::int64_t height : {1, 13, 64}) {
      std::vector<std::int64_t> expected, found;
      for (const auto& [id, n] : all)
        if (n.y0 < y0 + height && n.y1 > y0) expected.push_back(id);
      NucleusStore(store).for_each_nucleus_in_rows(y0, y0 + height, [&](std::int64_t id, const NucleusRecord& n) {
        found.push_back(id);
        EXPECT_EQ(n.contour, all[static_cast<std::size_t>(id - 1)].second.contour);
      });
      EXPECT_EQ(found, expected) << "rows from " << y0 << ", " << height << " of them";
    }
}

TEST_F(ResultStoreTest, PlacesAndSingleNucleiAreThoseOfAll) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  for (const auto& tile : testing::tiles(2, 2, 30, 9)) TileStore(store).commit_tile(tile.record, tile.nuclei);
  std::map<std::int64_t, NucleusRecord> all;
  NucleusStore(store).for_each_stored(false, [&](std::int64_t row, const NucleusRecord& n) { all[row] = n; });
  ASSERT_GT(all.size(), 10u);

  std::vector<std::int64_t> rows;
  NucleusStore(store).for_each_stored_place([&](std::int64_t row, const NucleusRecord& n) {
    rows.push_back(row);
    EXPECT_TRUE(n.contour.empty());
    NucleusRecord expected = all.at(row);
    expected.contour.clear();
    expect_same(n, expected);
  });
  EXPECT_EQ(rows.size(), all.size());
  EXPECT_TRUE(std::ranges::is_sorted(rows));

  const std::vector<std::int64_t> some{rows[7], rows[2], rows[2]};
  std::vector<std::int64_t> seen;
  NucleusStore(store).for_each_stored_of(some, [&](std::int64_t row, const NucleusRecord& n) {
    seen.push_back(row);
    expect_same(n, all.at(row));
  });
  EXPECT_EQ(seen, some);
  const std::vector<std::int64_t> missing{rows[0], 12345};
  EXPECT_TRUE(
      says(failure([&] { NucleusStore(store).for_each_stored_of(missing, [](std::int64_t, const NucleusRecord&) {}); }),
           "5: "));
}

TEST_F(ResultStoreTest, ASecondRecordOfATileReplacesTheFirstAndUnaccepts) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  const auto tiles = testing::tiles(2, 1, 60, 8);
  for (const auto& tile : tiles) TileStore(store).commit_tile(tile.record, tile.nuclei);
  testing::accept_owned(store);
  ASSERT_GT(NucleusStore(store).nucleus_count(), 0);
  TileRecord again = tiles[0].record;
  again.state = TileState::background;
  TileStore(store).commit_tile(again, {});
  EXPECT_EQ(stored(store).size(), tiles[1].nuclei.size());
  EXPECT_EQ(TileStore(store).tiles().size(), 2U);
  EXPECT_EQ(NucleusStore(store).nucleus_count(), 0);
  testing::accept_owned(store);
  for (const auto& [id, n] : accepted(store)) EXPECT_EQ(n.tile, 1);
}

TEST_F(ResultStoreTest, ReadsWhatTheLayoutBeforeHad) {
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    for (const auto& tile : testing::tiles(2, 1, 60, 8)) TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
    EXPECT_EQ(TileStore(store).tiles()[1].tissue, 60 * 60 - 1);
  }
  Database(file, Database::Open::existing)
      .execute(
          "ALTER TABLE tiles DROP COLUMN tissue; DROP TABLE checksums; PRAGMA user_version = 1;"
          "UPDATE tiles SET state = 'background' WHERE tile = 0");
  const ResultStore store = ResultStore::open(file);
  EXPECT_GT(NucleusStore(store).nucleus_count(), 0);
  EXPECT_EQ(TileStore(store).tiles()[0].tissue, 0);
  EXPECT_EQ(TileStore(store).tiles()[1].tissue, 60 * 60);
  EXPECT_TRUE(says(failure([&] { ResultStore::resume(file, testing::key()); }), "5: ", {"can only be read"}));
  Database(file, Database::Open::existing).execute("PRAGMA user_version = 2");
  EXPECT_TRUE(says(failure([&] { ResultStore::open(file); }), "5: ", {"table 'tiles' has other columns"}));
}

TEST_F(ResultStoreTest, RefusesToAcceptWhatIsNotStoredOrOutOfOrder) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  const auto tile = testing::tiles(1, 1, 60, 8)[0];
  TileStore(store).commit_tile(tile.record, tile.nuclei);
  testing::accept_owned(store);
  const std::int64_t before = NucleusStore(store).nucleus_count();
  EXPECT_TRUE(says(failure([&] { NucleusStore(store).accept({12345}); }), "1: "));
  EXPECT_TRUE(says(failure([&] { NucleusStore(store).accept({1, 0}); }), "1: "));
  EXPECT_EQ(NucleusStore(store).nucleus_count(), before);
}

TEST_F(ResultStoreTest, RefusesFeaturesThatDoNotFitTheColumns) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  auto tile = testing::tiles(1, 1, 60, 8)[0];
  tile.nuclei.back().features.pop_back();
  EXPECT_TRUE(says(failure([&] { TileStore(store).commit_tile(tile.record, tile.nuclei); }), "", {"2 features"}));
  EXPECT_TRUE(stored(store).empty());
  EXPECT_TRUE(TileStore(store).tiles().empty());
  RunInfo info = testing::info();
  info.feature_names = {"Pixels"};
  EXPECT_TRUE(says(failure([&] { ResultStore::create(file + "2", testing::key(), info); }), "", {"'pixels'"}));
  EXPECT_FALSE(std::filesystem::exists(file + "2"));
}

TEST_F(ResultStoreTest, CreateLeavesAnExistingFileAlone) {
  std::ofstream(file) << "mine";
  EXPECT_TRUE(
      says(failure([&] { ResultStore::create(file, testing::key(), testing::info()); }), "", {"exists already"}));
  EXPECT_EQ(testing::bytes_of(file), "mine");
}

TEST_F(ResultStoreTest, ResumeNamesWhatDiffers) {
  ResultStore::create(file, testing::key(), testing::info());
  const std::string before = testing::bytes_of(file);
  const auto attempt = [&](auto change) {
    RunKey key = testing::key();
    change(key);
    return failure([&] { ResultStore::resume(file, key); });
  };
  EXPECT_EQ(attempt([](RunKey&) {}), "");
  EXPECT_EQ(attempt([](RunKey& k) { k.parameters = R"({"limits":{"max":1000,"min":21},"halo":64,"tile":4096})"; }), "");
  const std::string slide = attempt([](RunKey& k) { k.slide_fingerprint = "beef"; });
  EXPECT_TRUE(says(slide, "5: " + file));
  EXPECT_TRUE(says(slide, "", {"another slide (/slides/a \"b\".svs, fingerprint f00d, this one has beef)"}));
  EXPECT_TRUE(says(attempt([](RunKey& k) { k.starpath_version = "1.3.0"; }), "", {"starpath 1.2.3, this is 1.3.0"}));
  const std::string parameters =
      attempt([](RunKey& k) { k.parameters = R"({"tile":1024,"limits":{"min":21,"max":900},"mpp":0.5})"; });
  EXPECT_TRUE(says(parameters, "",
                   {"halo was 64 and is not set, limits/max was 1000 and is 900, mpp was not set and is 0.5, "
                    "tile was 4096 and is 1024"}));
  EXPECT_EQ(testing::bytes_of(file), before);
}

TEST_F(ResultStoreTest, OpenOnlyReads) {
  ResultStore::create(file, testing::key(), testing::info());
  ResultStore store = ResultStore::open(file);
  const auto tile = testing::tiles(1, 1, 60, 8)[0];
  EXPECT_NE(failure([&] { NucleusStore(store).accept({}); }), "");
  EXPECT_TRUE(says(failure([&] { ResultStore::open(file + ".none"); }), "3: "));
}

// What a survey found, say: tiles that were computed with it are not without it.
TEST_F(ResultStoreTest, KeptTextsAreWrittenWithTheNextTiles) {
  const auto tiles = testing::tiles(2, 1, 60, 5);
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    store.keep("survey", "before");
    store.keep("survey", "found");
    EXPECT_EQ(store.kept("survey"), "found");
    EXPECT_EQ(store.kept("regions"), std::nullopt);
    TileStore(store).commit_tile(tiles[0].record, tiles[0].nuclei);
    std::filesystem::copy_file(file, file + ".copy");  // a kill now would leave this
    store.keep("survey", "again");
    EXPECT_EQ(store.kept("survey"), "again");
    testing::accept_owned(store);
    std::filesystem::copy_file(file, file + ".accepted");
    store.keep("regions", "[]");
  }
  EXPECT_EQ(ResultStore::resume(file + ".copy", testing::key()).kept("survey"), "found");
  EXPECT_EQ(ResultStore::resume(file + ".accepted", testing::key()).kept("survey"), "again");
  EXPECT_EQ(ResultStore::resume(file, testing::key()).kept("regions"), "[]") << "when the store ends";
}

}  // namespace
}  // namespace starpath::io
