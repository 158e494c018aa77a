// Values that changed in a results file while nobody looked.
#include "io/results/checksums.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "base/sqlite.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_parts.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using testing::failure;
using testing::says;

class ChecksumsTest : public testing::Results {
 protected:
  void store_tiles() {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    for (const auto& tile : testing::tiles(2, 2, 60, 5)) TileStore(store).commit_tile(tile.record, tile.nuclei);
    store.keep("survey", "{}");
    testing::accept_owned(store);
  }
  /// The same with regions, clusters and classes.
  void store_groups() {
    store_tiles();
    ResultStore store = ResultStore::resume(file, testing::key());
    std::vector<std::int64_t> accepted;
    NucleusStore(store).for_each_stored(false, [&](std::int64_t row, const NucleusRecord& nucleus) {
      if (nucleus.role == NucleusRole::owned) accepted.push_back(row);
    });
    const NucleusRegions regions{{{"R", "Tumor", 900.5, 0}, {"S", "", 10, 0}},
                                 std::vector<std::int32_t>(accepted.size(), 2)};
    NucleusStore(store).accept(accepted, &regions);
    GroupStore(store).put_clusters({{"cluster 1", 0x1f77b4, std::ssize(accepted)}},
                                   std::vector<std::uint8_t>(accepted.size(), 1));
    GroupStore(store).put_classes({{"A", 0xc80000, 0, "f00d"}, {"B", 0xc8, 0, "f00d"}},
                                  std::vector<ClassOfNucleus>(accepted.size(), {1, 0.25, 1.5, false}));
  }
  /// As a file of 0.2.0: nothing guards the groups, nor the checksums themselves.
  void make_layout_2() { change("DELETE FROM checksums WHERE unit < -2; PRAGMA user_version = 2"); }
  void change(const std::string& sql) { Database(file, Database::Open::existing).execute(sql); }
  std::string resumed() {
    return failure([&] { ResultStore::resume(file, testing::key()); });
  }
};

TEST_F(ChecksumsTest, WhatWasWrittenPasses) {
  store_tiles();
  EXPECT_EQ(resumed(), "");
  {
    ResultStore store = ResultStore::resume(file, testing::key());
    TileStore(store).commit_tile(testing::tiles(2, 2, 60, 5)[1].record, {});  // again, with other nuclei
    NucleusStore(store).accept({});
  }
  EXPECT_EQ(resumed(), "");
}

TEST_F(ChecksumsTest, ValuesThatSqliteStoresAsOthersPass) {
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info());
    auto tile = testing::tiles(1, 1, 60, 5)[0];
    const double infinity = std::numeric_limits<double>::infinity();
    const double values[] = {std::nan(""), -0.0, 0.0, -3.0, 1e300, -infinity, 5e-324, 0x1p53};
    std::size_t next = 0;
    for (NucleusRecord& nucleus : tile.nuclei)
      for (double& feature : nucleus.features) feature = values[next++ % std::size(values)];
    ASSERT_GE(next, std::size(values));
    TileStore(store).commit_tile(tile.record, tile.nuclei);
    tile.record.index = 1;
    tile.record.state = TileState::failed;
    tile.record.error = "the disk; it's full";
    TileStore(store).commit_tile(tile.record, {});
  }
  EXPECT_EQ(resumed(), "");
}

TEST_F(ChecksumsTest, EveryValueIsGuarded) {
  const std::pair<const char*, const char*> changes[] = {
      {"UPDATE objects SET pixels = pixels + 1 WHERE object = 0", "tile 0"},
      {"UPDATE objects SET contour = zeroblob(length(contour)) WHERE object = 3", "tile 0"},
      {"UPDATE objects SET centroid_x = centroid_x + 1e-9 WHERE tile = 2", "tile 2"},
      {"UPDATE features SET cytoplasm_sd = 7 WHERE object = 1", "tile 0"},
      {"UPDATE features SET cytoplasm_sd = NULL WHERE object = 4294967296", "tile 1"},
      {"DELETE FROM objects WHERE tile = 3", "tile 3"},
      {"UPDATE tiles SET state = 'background' WHERE tile = 1", "tile 1"},
      {"DELETE FROM tiles WHERE tile = 1", "tile 1"},
      {"UPDATE run SET value = 0.75 WHERE key = 'mpp'", "table run"},
      {"UPDATE run SET value = '{ }' WHERE key = 'survey'", "table run"},
      {"DELETE FROM run WHERE key = 'finished'", "table run"},
      {"UPDATE accepted SET object = object + 1 WHERE id = 2", "table accepted"},
      {"DELETE FROM accepted WHERE id = 1", "table accepted"},
      {"UPDATE checksums SET unit = 77 WHERE unit = 2", "tile 2 has no checksum"},
      {"UPDATE regions SET name = 'Q' WHERE region = 1", "what regions nuclei are in"},
      {"UPDATE nucleus_regions SET region = 1 WHERE id = 2", "what regions nuclei are in"},
      {"UPDATE nucleus_clusters SET cluster = 0 WHERE id = 1", "what clusters nuclei are in"},
      {"DELETE FROM nucleus_clusters WHERE id = 1", "what clusters nuclei are in"},
      {"DELETE FROM clusters", "what clusters nuclei are in"},
      {"DROP TABLE clusters; DROP TABLE nucleus_clusters", "what clusters nuclei are in"},
      {"UPDATE nucleus_classes SET class = 2 WHERE id = 1", "what classes nuclei are of"},
      {"UPDATE nucleus_classes SET confidence = 0.5 WHERE id = 3", "what classes nuclei are of"},
      {"DELETE FROM nucleus_classes WHERE id = (SELECT max(id) FROM nucleus_classes)", "what classes nuclei are of"},
      {"UPDATE classes SET colour = 1 WHERE class = 2", "what classes nuclei are of"},
      {"DELETE FROM checksums WHERE unit = -5", "what classes nuclei are of has no checksum"},
      {"DELETE FROM checksums WHERE unit = -1", "table run has no checksum"},
      {"DELETE FROM checksums", "tile 0 has no checksum"},
      {"DROP TABLE checksums", "no checksums"},
      {"DELETE FROM checksums WHERE unit = -1000", "checksums are not those of before"},
      {"DELETE FROM tiles WHERE tile = 2; DELETE FROM objects WHERE tile = 2; DELETE FROM features WHERE object >> 32 "
       "= "
       "2; DELETE FROM checksums WHERE unit = 2",
       "checksums are not those of before"},
      {"DROP TABLE classes; DROP TABLE nucleus_classes; DELETE FROM checksums WHERE unit = -5",
       "checksums are not those of before"},
      {"DROP TABLE features", "no table 'features'"}};
  for (const auto& [sql, place] : changes) {
    std::filesystem::remove(file);
    store_groups();
    EXPECT_EQ(resumed(), "");
    change(sql);
    EXPECT_TRUE(says(resumed(), "5: " + file, {"is damaged", place})) << sql;
  }
}

// Nothing tells then that a value was changed. What it cannot be is quoted in one line.
TEST_F(ChecksumsTest, WithoutThemAStrangeValueIsOneLine) {
  store_tiles();
  change("DELETE FROM checksums; PRAGMA user_version = 2");
  change("UPDATE tiles SET state = 'do' || char(10, 13, 127) || 'ne' || hex(zeroblob(1000)) WHERE tile = 1");
  const std::string told = failure([&] { TileStore(ResultStore::resume(file, testing::key())).tiles(); });
  EXPECT_TRUE(says(told, "5: " + file, {"is damaged", "'do   ne000", "not a state"}));
  EXPECT_EQ(told.find_first_of("\n\r\x7f"), std::string::npos);
  EXPECT_LT(told.size(), 300u);
}

TEST_F(ChecksumsTest, WithoutThemAnotherSlidesFingerprintIsOneLine) {
  store_tiles();
  change("DELETE FROM checksums; PRAGMA user_version = 2");
  change("UPDATE run SET value = 'f0' || char(10) || '0d' WHERE key = 'slide_fingerprint'");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"another slide", "fingerprint f0 0d"}));
}

TEST_F(ChecksumsTest, MergedPartsAreGuardedToo) {
  store_tiles();
  {
    ResultStore part = ResultStore::create(part_file(file, 1), testing::key(), testing::info());
    const auto more = testing::tiles(3, 3, 60, 5);
    TileStore(part).commit_tile(more[5].record, more[5].nuclei);
  }
  merge_part(file, part_file(file, 1), testing::key());
  EXPECT_EQ(resumed(), "");
  change("UPDATE objects SET first_x = first_x + 1 WHERE tile = 5");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"tile 5"}));
}

TEST_F(ChecksumsTest, FilesWithoutChecksumsStillOpenAndHaveThemAfterwards) {
  store_groups();
  change("DROP TABLE checksums; PRAGMA user_version = 2");
  EXPECT_EQ(failure([&] { ResultStore::open(file); }), "");
  EXPECT_EQ(Database(file, Database::Open::existing).integer("PRAGMA user_version"), 2) << "only read";
  EXPECT_EQ(resumed(), "");
  EXPECT_EQ(resumed(), "");
  change("UPDATE classes SET colour = 1 WHERE class = 2");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"what classes nuclei are of"}));
}

TEST_F(ChecksumsTest, OfAFileOfLayout2WhatHasAChecksumIsCompared) {
  store_groups();
  make_layout_2();
  change("UPDATE classes SET colour = 1 WHERE class = 2");  // nothing can tell
  EXPECT_EQ(resumed(), "");
  EXPECT_EQ(Database(file, Database::Open::existing).integer("PRAGMA user_version"), 3);
  change("UPDATE classes SET colour = 2 WHERE class = 2");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"what classes nuclei are of"}));
  std::filesystem::remove(file);
  store_groups();
  make_layout_2();
  change("UPDATE accepted SET object = object + 1 WHERE id = 2");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"table accepted"}));
  EXPECT_EQ(Database(file, Database::Open::existing).integer("PRAGMA user_version"), 2) << "as it was";
}

TEST_F(ChecksumsTest, ALowerLayoutNumberTakesNoGuardAway) {
  store_groups();
  change("PRAGMA user_version = 2; UPDATE classes SET colour = 1 WHERE class = 2");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"what classes nuclei are of"}));
}

// What users read is the view.
TEST_F(ChecksumsTest, TheViewSelectsWhatItWasMadeToSelect) {
  const std::pair<const char*, const char*> changes[] = {
      {"replace(sql, 'centroid_x, centroid_y', 'centroid_y, centroid_x')", "view 'nuclei' selects something else"},
      {"replace(sql, 'objects.y0', 'objects.y1')", "view 'nuclei' selects something else"},
      {"replace(sql, 'mpp', 'mpq')", "view 'nuclei' selects something else"}};
  for (const auto& [text, place] : changes) {
    std::filesystem::remove(file);
    store_tiles();
    change(fmt::format("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = {} WHERE type = 'view'", text));
    for (const std::string& told : {resumed(), failure([&] { ResultStore::open(file); })})
      EXPECT_TRUE(says(told, "5: " + file, {place})) << text;
  }
  std::filesystem::remove(file);
  store_tiles();
  change("DROP VIEW nuclei");
  EXPECT_TRUE(says(resumed(), "5: " + file, {"no view 'nuclei'"}));
}

// One bit anywhere: either nothing that is read differs, or the file is refused.
TEST_F(ChecksumsTest, NoFlippedBitIsTakenForAResult) {
  store_groups();
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto contents = [&] {
    std::string all;
    const ResultStore store = ResultStore::open(file);
    NucleusStore(store).for_each_stored(true, [&](std::int64_t row, const NucleusRecord& nucleus) {
      all += fmt::format("{} {} {} {} {} {} {} {} ", row, nucleus.tile, nucleus.first_x, nucleus.first_y, nucleus.area,
                         nucleus.centroid_x, nucleus.centroid_y, static_cast<int>(nucleus.role));
      for (const Point& point : nucleus.contour) all += fmt::format("{} {} ", point.x, point.y);
      for (const double feature : nucleus.features) all += fmt::format("{} ", feature);
    });
    for (const auto& each : GroupStore(store).regions())
      all += fmt::format("{} {} {} ", each.name, each.class_name, each.pixels);
    for (const auto& each : GroupStore(store).clusters())
      all += fmt::format("{} {} {} ", each.name, each.colour, each.nuclei);
    for (const auto& each : GroupStore(store).classes())
      all += fmt::format("{} {} {} ", each.name, each.colour, each.model);
    NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const NucleusRecord& nucleus) {
      all += fmt::format("{} {} {} {} ", nucleus.region, nucleus.cluster, nucleus.classified.number,
                         nucleus.classified.confidence);
    });
    const Database database(file, Database::Open::existing);
    Statement view = database.prepare("SELECT * FROM nuclei");
    while (view.step())
      for (int column = 0; column < view.columns(); ++column) all += view.text(column) + ' ';
    return all;
  };
  const std::string expected = contents();
  std::mt19937 random(20);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    std::ofstream(file, std::ios::binary) << bytes;
    if (resumed().empty())
      EXPECT_TRUE(contents() == expected) << round;
    else
      ++refused;
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace starpath::io
