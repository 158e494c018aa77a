// When a run counts as finished.
#include "io/results/finished_run.hpp"

#include "io/results/nucleus_store.hpp"
#include "io/results/result_parts.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

class FinishedRunTest : public testing::Results {
 protected:
  bool finished() const { return is_finished(Database(file, Database::Open::existing)); }
  /// The results are whole too.
  ResultStore resumed() const { return ResultStore::resume(file, testing::key()); }
  void change(const char* sql) { Database(file, Database::Open::existing).execute(sql); }
};

TEST_F(FinishedRunTest, ItIsFromAcceptingToTheNextTile) {
  const auto tile = testing::tiles(1, 1, 40, 5)[0];
  ResultStore::create(file, testing::key(), testing::info());
  EXPECT_FALSE(finished());
  TileStore(resumed()).commit_tile(tile.record, {});
  EXPECT_FALSE(finished());
  NucleusStore(resumed()).accept({});
  EXPECT_TRUE(finished());
  NucleusStore(resumed()).accept({});
  EXPECT_TRUE(finished());
  TileStore(resumed()).commit_tile(tile.record, tile.nuclei);
  EXPECT_FALSE(finished());
  {
    ResultStore store = resumed();
    store.keep("survey", "{}");  // in the same transaction
    testing::accept_owned(store);
  }
  EXPECT_TRUE(finished());
  EXPECT_EQ(resumed().kept("survey"), "{}");
}

TEST_F(FinishedRunTest, APartTakesItBack) {
  const auto tiles = testing::tiles(2, 1, 40, 5);
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    TileStore(store).commit_tile(tiles[0].record, tiles[0].nuclei);
    testing::accept_owned(store);
    TileStore(ResultStore::create(part_file(file, 1), testing::key(), testing::info()))
        .commit_tile(tiles[1].record, tiles[1].nuclei);
  }
  EXPECT_TRUE(finished());
  merge_part(file, part_file(file, 1), testing::key());
  EXPECT_FALSE(finished());
  NucleusStore(resumed()).accept({});
  EXPECT_TRUE(finished());
}

TEST_F(FinishedRunTest, WithoutTheMarkAcceptedNucleiStandForIt) {
  const auto tile = testing::tiles(1, 1, 40, 5)[0];
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
  }
  change("DELETE FROM run WHERE key = 'finished'");
  EXPECT_TRUE(finished());
  change("DELETE FROM accepted");
  EXPECT_FALSE(finished());
  change("DELETE FROM objects");
  EXPECT_FALSE(finished());
  change("PRAGMA user_version = 1");
  EXPECT_TRUE(finished()) << "as it was judged then";
}

}  // namespace
}  // namespace starpath::io
