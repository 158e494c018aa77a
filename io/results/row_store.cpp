// Rows of numbers in results.sqlite.
#include "io/results/row_store.hpp"

#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr const char* kTables = R"(
CREATE TABLE rows (
  tile INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  state TEXT NOT NULL, numbers BLOB NOT NULL, read_seconds REAL NOT NULL, compute_seconds REAL NOT NULL,
  error TEXT NOT NULL);
)";

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

struct RowStore::Impl {
  Impl(const std::string& path, std::size_t numbers) : columns(numbers), database(path, Database::Open::existing) {}
  ~Impl() {
    if (!put) return;  // never written to
    put.reset();
    checksums.reset();
    try {
      close_results_file(database);
    } catch (const Error&) {  // the next one to open the file does it
    }
  }

  std::size_t columns;
  Database database;
  std::optional<Statement> put;
  std::optional<Checksums> checksums;
};

RowStore::RowStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RowStore::RowStore(RowStore&&) noexcept = default;
RowStore& RowStore::operator=(RowStore&&) noexcept = default;
RowStore::~RowStore() = default;

RowStore RowStore::create(const std::string& path, const RunKey& key, const RunInfo& info, std::size_t columns) {
  make_results_file(path, [&](Database& database) { create_run_schema(database, key, info, kTables); });
  RowStore store = resume(path, key, columns);
  store.impl_->checksums->run_written();
  return store;
}

RowStore RowStore::resume(const std::string& path, const RunKey& key, std::size_t columns) {
  auto impl = std::make_unique<Impl>(path, columns);
  check_result_schema(impl->database);
  check_same_run(impl->database, key);  // first: another pipeline's results have other tables
  check_tables(impl->database, kRowTables);
  lock_results_file(impl->database, Commits::many_small);
  check_integrity(impl->database);
  check_contents(impl->database, kRowTables);
  impl->put = impl->database.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  impl->checksums.emplace(impl->database, kRowTables);
  return RowStore(std::move(impl));
}

RunInfo RowStore::info() const { return read_run_info(impl_->database); }

std::vector<RowRecord> RowStore::rows() const {
  Statement statement = impl_->database.prepare("SELECT * FROM rows ORDER BY tile");
  std::vector<RowRecord> rows;
  const RunInfo grid = info();
  const StoredRow row(impl_->database, statement, "rows");
  while (statement.step()) rows.push_back(read_row(row, grid, impl_->columns));
  return rows;
}

void RowStore::commit(const RowRecord& row) {
  using std::string_view;
  Transaction transaction(impl_->database);
  impl_->put->run(row.tile, row.x, row.y, row.width, row.height, string_view(row.failed ? "failed" : "done"),
                  std::as_bytes(std::span(row.numbers)), row.read_seconds, row.compute_seconds, string_view(row.error));
  impl_->checksums->unit_written(row.tile);
  transaction.commit();
}

}  // namespace starpath::io
