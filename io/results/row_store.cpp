// Rows of numbers in results.sqlite.
#include "io/results/row_store.hpp"

#include <cstring>
#include <span>

#include "io/results/open_results.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr const char* kTablesOfRows = R"(
CREATE TABLE rows (
  tile INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  state TEXT NOT NULL, numbers BLOB NOT NULL, read_seconds REAL NOT NULL, compute_seconds REAL NOT NULL,
  error TEXT NOT NULL);
)";

constexpr const char* kInsertRow = "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

RowRecord read_row(const StoredRow& row, const RunInfo& grid, std::size_t columns) {
  RowRecord record{};
  record.tile = row.integer(0, 0, kMostUnits - 1);
  record.x = row.integer(1, 0, grid.width - 1);
  record.y = row.integer(2, 0, grid.height - 1);
  record.width = row.integer(3, 1, grid.width - record.x);
  record.height = row.integer(4, 1, grid.height - record.y);
  record.failed = row.text(5) == "failed";
  const std::span<const std::byte> bytes = row.bytes(6);
  record.numbers.resize(record.failed ? 0 : columns);
  if (bytes.size() != record.numbers.size() * sizeof(double)) row.fail("numbers that are too many or too few");
  if (!bytes.empty()) std::memcpy(record.numbers.data(), bytes.data(), bytes.size());
  record.read_seconds = row.real_or_nan(7);
  record.compute_seconds = row.real_or_nan(8);
  record.error = row.text(9);
  return record;
}

}  // namespace

std::string sql_of_rows(const RunInfo&) { return kTablesOfRows; }

RowStore::RowStore(const ResultStore& results, std::size_t columns)
    : results_(results.opened()), columns_(columns), put_(results_->database().prepare(kInsertRow)) {}

std::vector<RowRecord> RowStore::rows() const {
  Statement statement = results_->database().prepare("SELECT * FROM rows ORDER BY tile");
  std::vector<RowRecord> rows;
  const StoredRow row(results_->database(), statement, "rows");
  while (statement.step()) rows.push_back(read_row(row, results_->info(), columns_));
  return rows;
}

void RowStore::commit(const RowRecord& row) {
  using std::string_view;
  results_->transact([&](Checksums& checksums) {
    put_.run(row.tile, row.x, row.y, row.width, row.height, string_view(row.failed ? "failed" : "done"),
             std::as_bytes(std::span(row.numbers)), row.read_seconds, row.compute_seconds, string_view(row.error));
    checksums.unit_written(row.tile);
  });
}

}  // namespace starpath::io
