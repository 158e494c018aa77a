// Fields as rows.
#include "io/results/field_store.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "io/results/open_results.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr const char* kTablesOfFields = R"(
CREATE TABLE fields (
  field INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  state TEXT NOT NULL, label TEXT, votes INTEGER, p_value REAL, level INTEGER, confidence TEXT, distance REAL, out_of_range INTEGER,
  read_seconds REAL NOT NULL, compute_seconds REAL NOT NULL, error TEXT NOT NULL);
)";

constexpr const char* kInsertField =
    "INSERT OR REPLACE INTO fields VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr int kMostVotes = 1'000'000, kMostLevel = 1 << 20;  // far more than there can be

int label_in(const StoredRow& row, int column, FieldLabels labels) {
  const std::string text = row.text(column);
  for (std::size_t label = 0; label < labels.size(); ++label)
    if (text == labels[label].name) return static_cast<int>(label);
  row.fail(column, "a label");
}

FieldRecord read_field(const StoredRow& row, const RunInfo& grid, FieldLabels labels) {
  FieldRecord field{};
  field.index = row.integer(0, 0, kMostUnits - 1);
  field.x = row.integer(1, 0, grid.width - 1);
  field.y = row.integer(2, 0, grid.height - 1);
  field.width = row.integer(3, 1, grid.width - field.x);
  field.height = row.integer(4, 1, grid.height - field.y);
  field.failed = row.text(5) == "failed";
  if (!field.failed) {
    field.label = label_in(row, 6, labels);
    field.votes = static_cast<int>(row.integer(7, 0, kMostVotes));
    field.p_value = row.real_or_nan(8);
    field.level = static_cast<int>(row.integer(9, 0, kMostLevel));
    field.low_confidence = row.text(10) == "low";
    field.distance = row.real_or_nan(11);
    field.out_of_range = row.integer(12, 0, 1) != 0;
  }
  field.read_seconds = row.real_or_nan(13);
  field.compute_seconds = row.real_or_nan(14);
  field.error = row.text(15);
  return field;
}

}  // namespace

std::string sql_of_fields(const RunInfo&) { return std::string(kTablesOfFields) + kLabelsView; }

FieldStore::FieldStore(const ResultStore& results, FieldLabels labels)
    : results_(results.opened()), labels_(labels), put_(results_->database().prepare(kInsertField)) {}

std::vector<FieldRecord> FieldStore::fields() const {
  Statement rows = results_->database().prepare("SELECT * FROM fields ORDER BY field");
  std::vector<FieldRecord> fields;
  const StoredRow row(results_->database(), rows, "fields");
  while (rows.step()) fields.push_back(read_field(row, results_->info(), labels_));
  return fields;
}

void FieldStore::commit(const FieldRecord& field) {
  using std::string_view;
  constexpr double null = std::numeric_limits<double>::quiet_NaN();
  results_->transact([&](Checksums& checksums) {
    if (field.failed)
      put_.run(field.index, field.x, field.y, field.width, field.height, string_view("failed"), null, null, null, null,
               null, null, null, field.read_seconds, field.compute_seconds, string_view(field.error));
    else
      put_.run(field.index, field.x, field.y, field.width, field.height, string_view("done"),
               labels_[static_cast<std::size_t>(field.label)].name, field.votes, field.p_value, field.level,
               string_view(field.low_confidence ? "low" : "accepted"), field.distance, field.out_of_range ? 1 : 0,
               field.read_seconds, field.compute_seconds, string_view(field.error));
    checksums.unit_written(field.index);
  });
}

}  // namespace starpath::io
