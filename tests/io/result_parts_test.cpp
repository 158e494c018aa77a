// Parts of results become one file.
#include "io/results/result_parts.hpp"

#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using testing::failure;
using testing::says;

class ResultPartsTest : public testing::Results {};

std::vector<NucleusRecord> all_stored(const ResultStore& store) {
  std::vector<NucleusRecord> all;
  NucleusStore(store).for_each_stored(true, [&](std::int64_t, const NucleusRecord& n) { all.push_back(n); });
  return all;
}

TEST_F(ResultPartsTest, HaveTheirRankInTheirNames) {
  EXPECT_EQ(part_file("/out/results.sqlite", 12), "/out/results.rank-12.sqlite");
  for (const int rank : {2, 1}) std::ofstream(part_file(file, rank)) << "x";
  std::ofstream(folder / "results.rank-1.sqlite-journal") << "x";
  EXPECT_EQ(part_files(file), (std::vector{part_file(file, 1), part_file(file, 2)}));
  remove_results_file(part_file(file, 1));
  remove_results_file(part_file(file, 2));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(ResultPartsTest, TheirTilesAreTakenOverOnce) {
  const auto tiles = testing::tiles(4, 1, 40, 5);
  const auto failed = [&](std::size_t i) {
    TileRecord record = tiles[i].record;
    record.state = TileState::failed;
    record.error = "unreadable";
    return record;
  };
  ResultStore expected = ResultStore::create(file + "-whole", testing::key(), testing::info());
  for (const auto& tile : tiles) TileStore(expected).commit_tile(tile.record, tile.nuclei);
  {
    ResultStore part = ResultStore::create(part_file(file, 1), testing::key(), testing::info());
    TileStore(part).commit_tile(tiles[0].record, tiles[0].nuclei);
    TileStore(part).commit_tile(failed(1), {});
    TileStore(part).commit_tile(tiles[3].record, tiles[3].nuclei);
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    TileStore(store).commit_tile(failed(0), {});                     // done there
    TileStore(store).commit_tile(tiles[1].record, tiles[1].nuclei);  // failed there
    TileStore(store).commit_tile(tiles[2].record, tiles[2].nuclei);
  }
  for (const int again : {0, 1}) {
    SCOPED_TRACE(again);
    EXPECT_EQ(merge_part(file, part_file(file, 1), testing::key()), 3);
    const ResultStore store = ResultStore::open(file);
    ASSERT_EQ(TileStore(store).tiles().size(), 4U);
    for (const TileRecord& tile : TileStore(store).tiles()) EXPECT_EQ(tile.state, TileState::done);
    const auto ours = all_stored(store), theirs = all_stored(expected);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].tile, theirs[i].tile);
      EXPECT_EQ(ours[i].contour, theirs[i].contour);
      EXPECT_EQ(ours[i].features, theirs[i].features);
    }
  }
}

TEST_F(ResultPartsTest, OfOtherWorkTheyAreRefused) {
  RunKey other = testing::key();
  other.slide_fingerprint = "beef";
  ResultStore::create(file, testing::key(), testing::info());
  ResultStore::create(part_file(file, 1), other, testing::info());
  EXPECT_TRUE(says(failure([&] { merge_part(file, part_file(file, 1), testing::key()); }),
                   "5: " + part_file(file, 1).string(), {"another slide"}));
  EXPECT_TRUE(TileStore(ResultStore::open(file)).tiles().empty());
}

TEST_F(ResultPartsTest, BeingWrittenTheyAreLeftAlone) {
  ResultStore::create(file, testing::key(), testing::info());
  const ResultStore part = ResultStore::create(part_file(file, 1), testing::key(), testing::info());
  EXPECT_TRUE(says(failure([&] { merge_part(file, part_file(file, 1), testing::key()); }),
                   "4: " + part_file(file, 1).string(), {"in use"}));
}

}  // namespace
}  // namespace starpath::io
