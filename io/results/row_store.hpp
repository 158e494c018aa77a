// results.sqlite of declared pipelines: a row of numbers a tile. The table is documented in docs/workflows.md.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// Not thread-safe. Errors, locking and files as ResultStore, whose table `run` it shares. What was committed survives
/// a kill of the process; a power cut may cost the last seconds, never the file. `columns`: numbers a row.
class RowStore {
 public:
  static RowStore create(const std::string& path, const RunKey& key, const RunInfo& info, std::size_t columns);
  static RowStore resume(const std::string& path, const RunKey& key, std::size_t columns);
  RowStore(RowStore&&) noexcept;
  RowStore& operator=(RowStore&&) noexcept;
  ~RowStore();

  RunInfo info() const;
  std::vector<RowRecord> rows() const;  // by tile
  /// One transaction. Replaces an earlier record of the same tile.
  void commit(const RowRecord& row);

 private:
  struct Impl;
  explicit RowStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace starpath::io
