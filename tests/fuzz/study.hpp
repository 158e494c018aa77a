// Everything that is done with a study which is there already.
#pragma once
#include "io/results/tile_store.hpp"
#include "io/study/study_store.hpp"
#include "pages/study/study_page.hpp"
#include "tests/apps/made_up_study.hpp"
#include "tests/fuzz/results.hpp"

namespace starpath::fuzz {

/// A folder with study.sqlite and the results of its first two slides.
inline std::filesystem::path study_folder() {
  static const std::filesystem::path made = [] {
    const std::filesystem::path path = folder() / "study";
    test::make_study(path, {{.patient = "P1", .group = "A", .labels = {{"age", "61"}}},
                            {.patient = "P2", .group = "B", .area = 60},
                            {.patient = "P1", .group = "A", .state = io::SlideState::failed}});
    for (const char* slide : {"s1", "s2"}) {
      std::filesystem::create_directories(path / slide);
      io::ResultStore store =
          io::ResultStore::create((path / slide / "results.sqlite").string(), io::testing::key(), io::testing::info());
      for (const auto& tile : io::testing::tiles(2, 1, 20, 5))
        io::TileStore(store).commit_tile(tile.record, tile.nuclei);
      io::testing::accept_owned(store);
    }
    io::StudyStore store = io::StudyStore::change((path / "study.sqlite").string());
    store.put_clusters({.about = R"({"k":2,"features":["nucleus_area"]})",
                        .clusters = {{"Job 1", 0xff0000, 10, {{"nucleus_area", 40.0}}}, {"Job 2", 0x00ff00, 5, {}}},
                        .counts = {{1, 0, 1, 6}, {1, 0, 2, 5}, {2, 0, 1, 4}}});
    store.put_classes({.about = "{}", .classes = {{"Tumor", 0xc80000, 9, 1}}, .counts = {{1, 0, 1, 9, 1}}});
    store.add_run(R"({"started":"2026-01-01T00:00:00Z","seconds":2.5,"workers":[]})");
    return path;
  }();
  return made;
}

/// Reads all of it, and writes the page.
inline void use_study() {
  const std::filesystem::path path = study_folder();
  expect_errors_only([&] {
    const io::StudyStore study = io::StudyStore::open((path / "study.sqlite").string());
    study.rows();
    study.clusters();
    study.cohort();
    study.runs();
    study.parameters();
  });
  expect_errors_only([&] { pages::page_of_study(path, {"all"}, [](const std::string&) {}); });
}

}  // namespace starpath::fuzz
