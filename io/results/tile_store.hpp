// The tiles of a segmentation in results.sqlite.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/results/nucleus_record.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

enum class TileState : int { done = 1, background = 2, failed = 3 };

struct TileRecord {
  std::int64_t index;                // row-major number of the tile
  std::int64_t x, y, width, height;  // core, working pixels
  TileState state;
  double read_seconds, compute_seconds;
  std::string error;        // empty unless failed, wholly or in part: a tile with a gap keeps its other nuclei
  std::int64_t tissue = 0;  // pixels of the core in cells that are not glass
};

class TileRows;

/// What a tile leaves behind.
struct TileResult {
  TileRecord tile;
  std::vector<NucleusRecord> nuclei;
  std::shared_ptr<const TileRows> rows{};  // of the nuclei in their order, finished; then they need no features
};

/// Threads and errors: as ResultStore.
class TileStore {
 public:
  explicit TileStore(const ResultStore& results) : results_(results.opened()) {}

  std::vector<TileRecord> tiles() const;  // by index
  /// All of them in one transaction, or ten in each. Replaces earlier records of the same tiles, and takes back
  /// NucleusStore::accept(): no nucleus is accepted any more. Faster where a result has its rows.
  void commit(std::span<const TileResult> tiles);
  /// The same for one.
  void commit_tile(const TileRecord& tile, const std::vector<NucleusRecord>& nuclei);

 private:
  std::shared_ptr<OpenResults> results_;
};

}  // namespace starpath::io
