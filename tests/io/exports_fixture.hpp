// Results with accepted nuclei, and exports read back by other means.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/exports/exports.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io::testing {

class AcceptedNuclei : public Results {
 protected:
  /// A store with accepted nuclei; tiles committed in an order that `seed` shuffles.
  ResultStore make(const RunInfo& info, std::uint32_t seed = 1) {
    ResultStore store = ResultStore::create(file + std::to_string(seed), key(), info);
    std::vector<Tile> made = tiles(4, 3, 50, 17);
    made[0].nuclei[0].features = {std::nan(""), std::numeric_limits<double>::infinity(), 0.1};
    std::shuffle(made.begin(), made.end(), std::mt19937(seed));
    for (Tile& tile : made) {
      tile.record.compute_seconds = seed;
      TileStore(store).commit_tile(tile.record, tile.nuclei);
    }
    accept_owned(store);
    return store;
  }
};

inline const ExportOptions kAll{.features = {"all"}};

inline std::map<std::int64_t, NucleusRecord> accepted(const ResultStore& store) {
  std::map<std::int64_t, NucleusRecord> all;
  NucleusStore(store).for_each_nucleus(true, [&](std::int64_t id, const NucleusRecord& n) { all.emplace(id, n); });
  return all;
}

/// The cells of a line, without their quotes.
inline std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        result.back() += line[i++];
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == ',' && !quoted) {
      result.emplace_back();
    } else {
      result.back() += line[i];
    }
  }
  return result;
}

inline std::vector<std::vector<std::string>> csv_rows(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(bytes_of(file));
  for (std::string line; std::getline(in, line);) {
    EXPECT_EQ(line.back(), '\r');
    line.pop_back();
    rows.push_back(csv_cells(line));
  }
  return rows;
}

}  // namespace starpath::io::testing
