#include "io/results/tile_rows.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include "base/sqlite_tables.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

class TileRowsTest : public testing::Results {
 protected:
  /// A store of these tiles, which it commits at once.
  std::string stored(const std::string& name, const std::vector<TileResult>& tiles) {
    const std::string path = (folder / name).string();
    TileStore(ResultStore::create(path, testing::key(), testing::info())).commit(tiles);
    const Database database(path, Database::Open::existing);
    EXPECT_EQ(check_contents(database, kSegmentationTables), std::ssize(tiles));
    return path;
  }
};

/// With values that a table does not keep as they are.
std::vector<TileResult> tiles_of(int columns, int rows) {
  std::vector<TileResult> results;
  for (auto& [tile, nuclei] : testing::tiles(columns, rows, 20, 5)) {
    if (!nuclei.empty()) nuclei[0].features = {std::numeric_limits<double>::quiet_NaN(), -0.0, 1e300};
    results.push_back({tile, nuclei});
  }
  return results;
}

std::shared_ptr<const TileRows> rows_of(const TileResult& result) {
  const auto rows = std::make_shared<TileRows>(result.tile.index, 3);
  for (const NucleusRecord& nucleus : result.nuclei) rows->add(nucleus, nucleus.features);
  rows->finish();
  return rows;
}

std::string text_of(const std::string& path) {
  const Database database(path, Database::Open::existing);
  std::string text;
  for (const char* table : {"tiles", "objects", "features", "checksums"}) {
    Statement rows = database.prepare(std::string("SELECT * FROM ") + table + " ORDER BY 1");
    while (rows.step())
      for (int column = 0; column < rows.columns(); ++column)
        text += std::to_string(static_cast<int>(rows.type(column))) + rows.text(column) + '|';
  }
  return text;
}

TEST_F(TileRowsTest, MadeOnOtherThreadsTheyAreWhatCommitMakes) {
  std::vector<TileResult> tiles = tiles_of(5, 5);  // more than a connection has room for
  const std::string made_by_commit = text_of(stored("plain.sqlite", tiles));
  {
    std::vector<std::jthread> workers;
    for (TileResult& tile : tiles)
      workers.emplace_back([&tile] {
        tile.rows = rows_of(tile);
        for (NucleusRecord& nucleus : tile.nuclei) nucleus.features.clear();
      });
  }
  EXPECT_EQ(text_of(stored("rows.sqlite", tiles)), made_by_commit);
}

TEST_F(TileRowsTest, ATileThatComesAgainReplacesItsRows) {
  std::vector<TileResult> tiles = tiles_of(2, 1);
  const std::string once = text_of(stored("once.sqlite", tiles));
  for (TileResult& tile : tiles) tile.rows = rows_of(tile);
  std::vector<TileResult> other = tiles;
  for (TileResult& tile : other) {
    tile.nuclei.resize(1);
    tile.rows = rows_of(tile);
  }
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    TileStore(store).commit(other);
    TileStore(store).commit(tiles);
  }
  EXPECT_EQ(text_of(file), once);
}

TEST_F(TileRowsTest, RowsOfOtherNucleiAreRefusedAndNothingIsStored) {
  std::vector<TileResult> tiles = tiles_of(2, 1);
  for (TileResult& tile : tiles) tile.rows = rows_of(tile);
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  std::vector<TileResult> wrong = tiles;
  wrong[1].nuclei.pop_back();
  EXPECT_THROW(TileStore(store).commit(wrong), Error);
  EXPECT_TRUE(TileStore(store).tiles().empty());
  TileStore(store).commit(tiles);
  EXPECT_EQ(TileStore(store).tiles().size(), 2u);
  TileRows rows(0, 2);
  EXPECT_THROW(rows.add(tiles[0].nuclei[0], tiles[0].nuclei[0].features), Error);
}

}  // namespace
}  // namespace starpath::io
