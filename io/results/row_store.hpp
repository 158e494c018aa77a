// The rows of a declared pipeline in results.sqlite, a row of numbers a tile. The table is documented in
// docs/workflows.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

/// One tile of a slide, in working pixels, and what a pipeline measured of it.
struct RowRecord {
  std::int64_t tile;
  std::int64_t x, y, width, height;
  bool failed;                  // then there are no numbers
  std::vector<double> numbers;  // one a column
  double read_seconds, compute_seconds;
  std::string error;  // empty unless failed
};

/// Made from a store of kRowTables. `columns`: numbers a row. Threads and errors: as ResultStore. What was committed
/// survives a kill of the process; a power cut may cost the last seconds, never the file.
class RowStore {
 public:
  RowStore(const ResultStore& results, std::size_t columns);

  std::vector<RowRecord> rows() const;  // by tile
  /// One transaction. Replaces an earlier record of the same tile.
  void commit(const RowRecord& row);

 private:
  std::shared_ptr<OpenResults> results_;
  std::size_t columns_;
  Statement put_;
};

}  // namespace starpath::io
