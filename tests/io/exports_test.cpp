// What holds for every export of nuclei.
#include "io/exports/exports.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

using testing::bytes_of;
using testing::csv_rows;
using testing::failure_in_child;
using testing::kAll;
using testing::says;
using Exports = testing::AcceptedNuclei;

TEST_F(Exports, TheSameNucleiGiveTheSameBytes) {
  std::string first;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const ResultStore store = make(testing::info(), seed);
    std::string bytes;
    for (const Export<Nuclei>& each : kNucleiExports) {
      if (each.reads_slide) continue;
      each.write({store, nullptr, kAll}, folder / "f");
      bytes += bytes_of(folder / "f");
    }
    if (seed == 1) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST_F(Exports, AFullOrMissingPlaceIsReportedAndLeavesNothingHalf) {
  const ResultStore store = make(testing::info());
  for (const Export<Nuclei>& each : kNucleiExports) {
    if (each.reads_slide) continue;
    SCOPED_TRACE(each.name);
    const auto write = [&](const ResultStore& from, const std::filesystem::path& to) {
      each.write({from, nullptr, kAll}, to);
    };
    const auto path = folder / "out";
    std::ofstream(path) << "older";
    EXPECT_TRUE(says(failure_in_child([&] {
                       ::signal(SIGXFSZ, SIG_IGN);
                       const rlimit limit{100, 100};
                       ::setrlimit(RLIMIT_FSIZE, &limit);
                       write(store, path);
                     }),
                     "4: " + path.string(), {"File too large", "free some space"}));
    EXPECT_EQ(bytes_of(path), "older");
    EXPECT_EQ(testing::parts_in(folder), 0);
    EXPECT_TRUE(says(testing::failure([&] { write(store, folder / "none" / "out"); }),
                     "4: ", {"No such file", "make the folder"}));
  }
}

TEST_F(Exports, AnExportThatIsStoppedLeavesNothing) {
  const ResultStore store = make(testing::info());
  struct Stop {};
  for (const Export<Nuclei>& each : kNucleiExports) {
    if (each.reads_slide) continue;
    ExportOptions options = kAll;
    options.on_progress = [](double share) {
      EXPECT_GT(share, 0);
      EXPECT_LE(share, 1);
      throw Stop();
    };
    EXPECT_THROW(each.write({store, nullptr, options}, folder / "out"), Stop) << each.name;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    EXPECT_EQ(testing::parts_in(folder), 0);
  }
}

// A thread has 1,024 nuclei at a time.
TEST_F(Exports, TextsDoNotDependOnTheThreadsThatMakeThem) {
  {
    ResultStore store = ResultStore::create(file, testing::key(), testing::info(1100, 1100));
    for (const auto& tile : testing::tiles(20, 20, 50, 5)) TileStore(store).commit_tile(tile.record, tile.nuclei);
    testing::accept_owned(store);
  }
  const ResultStore store = ResultStore::open(file);
  ASSERT_GT(NucleusStore(store).nucleus_count(), 2 * 1024);
  ExportOptions options = kAll;
  for (const int threads : {1, 3}) {
    options.threads = std::make_shared<ThreadBudget>(threads);
    export_geojson(store, folder / fmt::format("g{}", threads), options);
    export_geojson(store, folder / fmt::format("g{}.gz", threads), options, Compression::gzip);
    export_csv(store, folder / fmt::format("c{}", threads), options);
  }
  EXPECT_TRUE(bytes_of(folder / "g1") == bytes_of(folder / "g3"));
  EXPECT_TRUE(bytes_of(folder / "g1.gz") == bytes_of(folder / "g3.gz"));
  EXPECT_TRUE(bytes_of(folder / "c1") == bytes_of(folder / "c3"));
  EXPECT_EQ(std::ssize(nlohmann::json::parse(bytes_of(folder / "g3")).at("features")),
            NucleusStore(store).nucleus_count());
  EXPECT_EQ(std::ssize(csv_rows(folder / "c3")), NucleusStore(store).nucleus_count() + 1);
}

TEST_F(Exports, AnEmptySlideGivesEmptyButValidFiles) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  NucleusStore(store).accept({});
  export_geojson(store, folder / "g");
  export_csv(store, folder / "c");
  EXPECT_TRUE(nlohmann::json::parse(bytes_of(folder / "g")).at("features").empty());
  EXPECT_EQ(csv_rows(folder / "c").size(), 1U);
}

}  // namespace
}  // namespace starpath::io
