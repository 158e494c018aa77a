// results.sqlite when things go wrong: kills, full and read-only places, damage, two runs at once.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <map>
#include <thread>

#include "base/sqlite.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using testing::failure;
using testing::failure_in_child;
using testing::says;

class ResultStoreTrouble : public testing::Results {
 protected:
  void make(int tile_count) {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info(6000, 200));
    for (const auto& tile : testing::tiles(tile_count, 1, 60, 8))
      TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
  }
};

/// Each tile is there with all its nuclei or not at all.
void expect_whole_tiles(const ResultStore& store, const std::vector<testing::Tile>& tiles) {
  std::map<std::int64_t, std::size_t> found;
  NucleusStore(store).for_each_stored(true, [&](std::int64_t, const NucleusRecord& n) { ++found[n.tile]; });
  const auto records = TileStore(store).tiles();
  EXPECT_EQ(found.size(), records.size());
  for (const TileRecord& record : records)
    EXPECT_EQ(found[record.index], tiles[static_cast<std::size_t>(record.index)].nuclei.size());
}

TEST_F(ResultStoreTrouble, AKilledRunLosesNoCommittedTileAndKeepsNoHalfOne) {
  const auto tiles = testing::tiles(20, 1, 150, 3);
  std::mt19937 random(20240517);
  std::size_t committed = 0, kills = 0;
  while (committed < tiles.size()) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ResultStore store = std::filesystem::exists(file)
                              ? ResultStore::resume(file, testing::key())
                              : ResultStore::create(file, testing::key(), testing::info(6000, 200));
      for (std::size_t i = TileStore(store).tiles().size(); i < tiles.size(); ++i) {
        TileStore(store).commit_tile(tiles[i].record, tiles[i].nuclei);
        const auto done = static_cast<char>(i + 1);
        if (::write(ends[1], &done, 1) != 1) break;
      }
      _exit(0);
    }
    ::close(ends[1]);
    char done = 0;
    if (::read(ends[0], &done, 1) == 1) committed = static_cast<std::size_t>(done);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ++kills;
    while (::read(ends[0], &done, 1) == 1) committed = static_cast<std::size_t>(done);
    ::close(ends[0]);
    const ResultStore store = ResultStore::resume(file, testing::key());
    EXPECT_GE(TileStore(store).tiles().size(), committed);
    expect_whole_tiles(store, tiles);
    committed = TileStore(store).tiles().size();
  }
  EXPECT_GT(kills, 2U) << "the children were never killed at work";
}

TEST_F(ResultStoreTrouble, AJournalLeftByAKillIsUndoneByTheNextOpening) {
  make(2);
  const auto tiles = testing::tiles(2, 1, 60, 8);
  const pid_t child = ::fork();
  if (child == 0) {
    // A cache of few pages makes SQLite write into the file before the transaction ends.
    Database database(file, Database::Open::existing);
    database.execute(
        "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN; DELETE FROM accepted; UPDATE features SET object = "
        "-object");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_GT(std::filesystem::file_size(file + "-journal"), 0U) << "nothing to undo";
  const ResultStore store = ResultStore::open(file);
  expect_whole_tiles(store, tiles);
  EXPECT_GT(NucleusStore(store).nucleus_count(), 0);
}

TEST_F(ResultStoreTrouble, WhatAKilledCreationLeftGoesWithTheNext) {
  const std::string dead = file + ".999999999.new", alive = file + "." + std::to_string(::getppid()) + ".new";
  for (const std::string& left : {dead, dead + "-journal", alive}) std::ofstream(left) << "left";
  ResultStore::create(file, testing::key(), testing::info(6000, 200));
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_FALSE(std::filesystem::exists(dead + "-journal"));
  EXPECT_TRUE(std::filesystem::exists(alive)) << "another process is at it";
}

TEST_F(ResultStoreTrouble, TheOneFileIsEverythingAfterwards) {
  make(3);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1U);
  std::filesystem::create_directory(folder / "elsewhere");
  const auto copy = folder / "elsewhere" / "copy.sqlite";
  std::filesystem::copy_file(file, copy);
  expect_whole_tiles(ResultStore::open(copy.string()), testing::tiles(3, 1, 60, 8));
}

TEST_F(ResultStoreTrouble, ARunningRunKeepsOthersOut) {
  const ResultStore store = ResultStore::create(file, testing::key(), testing::info(6000, 200));
  const std::string message = failure_in_child([&] { ResultStore::resume(file, testing::key()); });
  EXPECT_TRUE(says(message, "4: " + file, {"in use by another process"}));
}

TEST_F(ResultStoreTrouble, AFullDiskIsReportedAndKeepsWhatWasCommitted) {
  const auto tiles = testing::tiles(40, 1, 150, 3);
  const std::string message = failure_in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ResultStore store = ResultStore::create(file, testing::key(), testing::info(6000, 200));
    for (const auto& tile : tiles) TileStore(store).commit_tile(tile.record, tile.nuclei);
  });
  EXPECT_TRUE(says(message, "4: " + file, {"free space"}));
  ResultStore store = ResultStore::resume(file, testing::key());
  const std::size_t kept = TileStore(store).tiles().size();
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, tiles.size());
  expect_whole_tiles(store, tiles);
  TileStore(store).commit_tile(tiles[kept].record, tiles[kept].nuclei);
}

TEST_F(ResultStoreTrouble, APlaceWithoutRightsIsReported) {
  make(1);
  std::filesystem::permissions(file, std::filesystem::perms{0444});
  std::filesystem::permissions(folder, std::filesystem::perms{0555});
  const auto as_nobody = [](auto work) {
    return failure_in_child([&] {
      if (::geteuid() == 0 && ::seteuid(65534) != 0) throw Error(ErrorKind::internal, "cannot give up root's rights");
      work();
    });
  };
  EXPECT_TRUE(says(as_nobody([&] { ResultStore::create(file + "2", testing::key(), testing::info(6000, 200)); }),
                   "4: " + file, {"Permission denied"}));
  EXPECT_TRUE(says(as_nobody([&] { ResultStore::resume(file, testing::key()); }), "4: " + file, {"writable"}));
  EXPECT_EQ(as_nobody([&] { TileStore(ResultStore::open(file)).tiles(); }), "");
  std::filesystem::permissions(folder, std::filesystem::perms{0755});
  EXPECT_TRUE(says(
      failure([&] { ResultStore::create((folder / "none" / "r").string(), testing::key(), testing::info(6000, 200)); }),
      "4: ", {"No such file"}));
}

TEST_F(ResultStoreTrouble, ForeignAndDamagedFilesAreReportedAndLeftAlone) {
  make(6);
  const std::string good = testing::bytes_of(file);
  constexpr std::size_t page = 16384;
  std::string page_gone = good;
  page_gone.replace(good.size() / 2 / page * page, page, std::string(page, '\x5a'));
  Database(file + ".other", Database::Open::create).execute("CREATE TABLE mine (a)");
  Database(file + ".wide", Database::Open::create)
      .execute("PRAGMA encoding = 'UTF-16le'; PRAGMA application_id = 0x53745074; CREATE TABLE run (key, value)");
  std::string another_format = good;
  another_format[47] = 9;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "no results file"},
      {std::string(10000, 'x'), "no SQLite database"},
      {testing::bytes_of(file + ".other"), "no results file"},
      {good.substr(0, good.size() / 2), "damaged"},
      {page_gone, "damaged"},
      {another_format, "damaged"},
      {testing::bytes_of(file + ".wide"), "not UTF-8"},
  };
  for (const auto& [bytes, reason] : cases) {
    SCOPED_TRACE(reason);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    const std::string message = failure([&] { ResultStore::resume(file, testing::key()); });
    EXPECT_TRUE(says(message, "5: " + file, {reason}));
    EXPECT_EQ(testing::bytes_of(file), bytes);
  }
}

TEST_F(ResultStoreTrouble, AFeatureThatTheRunLacksIsNamed) {
  make(1);
  const std::string message = failure([&] {
    NucleusStore(ResultStore::open(file))
        .for_each_nucleus_with({"nucleus_area", "of_another_study"}, [](std::int64_t, const auto&) {});
  });
  EXPECT_TRUE(says(message, "5: " + file, {"no feature 'of_another_study'"}));
}

TEST_F(ResultStoreTrouble, AnotherLayoutIsNamed) {
  make(1);
  Database(file, Database::Open::existing).execute("PRAGMA user_version = 99");
  EXPECT_TRUE(says(failure([&] { ResultStore::open(file); }), "5: ", {"layout 99", "reads layouts 1 to 3", "1.2.3"}));
}

}  // namespace
}  // namespace starpath::io
