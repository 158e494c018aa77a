// results.sqlite: the one file that a run writes while it works. Transactions hold whole units of the work (tiles or
// fields), so a killed run loses nothing that was told to be finished. The schema is documented in docs/results.md.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/results/result_tables.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

class OpenResults;

/// The open file, and what it says of its run. What else it holds is read and written by other stores, which are made
/// from this one and share the open file with it. Of a segmentation: TileStore, NucleusStore and GroupStore. Of NBIA:
/// FieldStore. Of a declared pipeline: RowStore. Each pipeline describes its tables (result_tables.hpp).
///
/// Not thread-safe. A store made by create() or resume() holds the file alone until it and all stores made from it are
/// destroyed; everybody else gets Error{output} "in use". Every member of these stores throws Error{output} when the
/// file cannot be written (full disk, read-only, …) and Error{mismatch} when it turns out damaged: what was committed
/// before stays. Afterwards the one file at `path` is everything.
class ResultStore {
 public:
  /// Creates `path` (Error{output} if it exists) with this key and info. Killed in here, it leaves no file at `path`.
  static ResultStore create(const std::string& path, const RunKey& key, const RunInfo& info,
                            const ResultTables& tables = kSegmentationTables);
  /// Opens for continuing, after a kill too. Error{mismatch} naming what differs (slide, version or which parameter),
  /// or that the file is damaged or no results file; it is never changed in that case. Error{input} when there is none.
  /// Reads the whole file once.
  static ResultStore resume(const std::string& path, const RunKey& key,
                            const ResultTables& tables = kSegmentationTables);
  /// Opens for reading only. Errors as resume.
  static ResultStore open(const std::string& path, const ResultTables& tables = kSegmentationTables);
  /// Another that reads the same file, for another thread. Of a store that open() made.
  ResultStore reader() const;
  ResultStore(ResultStore&&) noexcept = default;
  ResultStore& operator=(ResultStore&&) noexcept = default;

  RunKey key() const;
  RunInfo info() const;
  /// Stores a text that belongs to the whole run, beside key and info, under a name of its own; one of that name before
  /// is replaced. It is written in the next transaction, at the latest when the file is closed: what was computed with
  /// it is never there without it, and a run waits for the disk once less. A failure at the end is not told.
  void keep(const std::string& name, const std::string& text);
  std::optional<std::string> kept(const std::string& name) const;

  /// For the stores of its parts.
  const std::shared_ptr<OpenResults>& opened() const { return opened_; }

 private:
  explicit ResultStore(std::shared_ptr<OpenResults> opened) : opened_(std::move(opened)) {}
  std::shared_ptr<OpenResults> opened_;
};

}  // namespace starpath::io
