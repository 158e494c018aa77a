// Everything that a run does with results which are there already.
#pragma once
#include "io/exports/exports.hpp"
#include "io/results/result_parts.hpp"
#include "io/results/result_store.hpp"
#include "io/results/same_grid.hpp"
#include "io/results/tile_store.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::fuzz {

/// Resumes, accepts nuclei across seams and writes the exports that need no slide.
inline void go_on(const std::string& file) {
  io::ResultStore store = io::ResultStore::resume(file, io::testing::key());
  if (!io::same_grid(store.info(), io::testing::info())) return;  // as a run with its slide finds out
  io::TileStore(store).tiles();
  accept_nuclei(store, {});
  io::export_csv(store, folder() / "nuclei.csv");
  io::export_geojson(store, folder() / "nuclei.geojson");
  io::export_labels(store, folder() / "labels.tif");
}

inline void remove_journals(const std::string& file) {
  for (const char* ending : {"-journal", "-wal", "-shm"}) std::filesystem::remove(file + ending);
}

}  // namespace starpath::fuzz
