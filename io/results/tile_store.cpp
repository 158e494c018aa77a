// Tiles and their nuclei as rows.
#include "io/results/tile_store.hpp"

#include <fmt/format.h>

#include <array>
#include <list>
#include <utility>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/results/contour_codec.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/open_results.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/row_checksum.hpp"
#include "io/results/stored_row.hpp"
#include "io/results/tile_rows.hpp"

namespace starpath::io {
namespace {

constexpr std::array<std::pair<TileState, std::string_view>, 3> kTileStates = {
    {{TileState::done, "done"}, {TileState::background, "background"}, {TileState::failed, "failed"}}};

std::string_view state_name(TileState state) {
  for (const auto& [value, name] : kTileStates)
    if (value == state) return name;
  throw Error(ErrorKind::internal, "a tile has no valid state; please report this");
}

TileState state_in(const StoredRow& row, int column) {
  const std::string text = row.text(column);
  for (const auto& [value, name] : kTileStates)
    if (name == text) return value;
  row.fail(column, "a state");
}

/// Writes a row that has a value a column.
template <class... Values>
void run_and_sum(Statement& insert, RowChecksum& sum, const Values&... values) {
  insert.run(values...);
  (sum.add(values), ...);
}

/// The rows that a result brings, or new ones; none where there are no nuclei.
std::shared_ptr<const TileRows> rows_of(const TileResult& result, std::size_t features) {
  if (result.rows != nullptr || result.nuclei.empty()) return result.rows;
  const auto rows = std::make_shared<TileRows>(result.tile.index, features);
  for (const NucleusRecord& nucleus : result.nuclei) rows->add(nucleus, nucleus.features);
  rows->finish();
  return rows;
}

/// Rows as a schema of a connection.
class AttachedRows {
 public:
  AttachedRows(Database& database, std::string schema, const TileRows& rows)
      : database_(database), schema_(std::move(schema)) {
    database_.attach(schema_, rows.image());
  }
  ~AttachedRows() {
    try {
      database_.execute("DETACH " + schema_);
    } catch (const Error&) {  // after a failure that was thrown already
    }
  }
  AttachedRows(const AttachedRows&) = delete;
  AttachedRows& operator=(const AttachedRows&) = delete;

 private:
  Database& database_;
  const std::string schema_;
};

/// Writes tiles, within a transaction.
class TileWriting {
 public:
  TileWriting(Database& database, Checksums& checksums)
      : database_(database),
        checksums_(checksums),
        put_tile_(database.prepare("INSERT OR REPLACE INTO tiles (tile, x, y, width, height, state, objects,"
                                   " read_seconds, compute_seconds, error, tissue)"
                                   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
        put_object_(database.prepare("INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {}

  /// `rows`: the tile's, attached as `schema`; nullptr: it has no nuclei.
  void put(const TileResult& result, const TileRows* rows, const std::string& schema) {
    const TileRecord& tile = result.tile;
    remove(tile.index);
    RowChecksum sum;
    run_and_sum(put_tile_, sum, tile.index, tile.x, tile.y, tile.width, tile.height, state_name(tile.state),
                static_cast<std::int64_t>(result.nuclei.size()), tile.read_seconds, tile.compute_seconds,
                std::string_view(tile.error), tile.tissue);
    std::int64_t object = object_number(tile.index, 0);
    for (const NucleusRecord& n : result.nuclei) {
      encode_contour(n.contour, contour_bytes_);
      use_object_row(object++, n, contour_bytes_, [&](const auto&... values) { put_object_.run(values...); });
    }
    if (rows != nullptr) {
      database_.execute(fmt::format("INSERT INTO main.features SELECT * FROM {}.features", schema));
      sum.append(rows->checksum());
    }
    checksums_.unit_written(tile.index, sum.value());
  }

 private:
  void remove(std::int64_t tile) {
    for (const char* table : {"objects", "features"})
      database_.prepare(fmt::format("DELETE FROM {} WHERE object >= ? AND object < ?", table))
          .run(object_number(tile, 0), object_number(tile + 1, 0));
    database_.execute("DELETE FROM accepted");
    checksums_.part_gone(kAcceptedPart);
    unmark_finished(database_, checksums_);
  }

  Database& database_;
  Checksums& checksums_;
  Statement put_tile_, put_object_;
  std::vector<std::byte> contour_bytes_;
};

/// In one transaction, which has room for as many tiles as a connection for schemas.
void commit_together(OpenResults& results, std::span<const TileResult> tiles) {
  std::vector<std::shared_ptr<const TileRows>> rows;
  std::list<AttachedRows> attached;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    rows.push_back(rows_of(tiles[i], results.info().feature_names.size()));
    if (rows[i] == nullptr) continue;
    if (rows[i]->count() != std::ssize(tiles[i].nuclei))
      throw Error(ErrorKind::internal, fmt::format("tile {} has {} rows for {} nuclei; please report this",
                                                   tiles[i].tile.index, rows[i]->count(), tiles[i].nuclei.size()));
    attached.emplace_back(results.database(), fmt::format("rows{}", i), *rows[i]);
  }
  results.transact([&](Checksums& checksums) {
    TileWriting writing(results.database(), checksums);
    for (std::size_t i = 0; i < tiles.size(); ++i) writing.put(tiles[i], rows[i].get(), fmt::format("rows{}", i));
  });
}

}  // namespace

std::vector<TileRecord> TileStore::tiles() const {
  const Database& database = results_->database();
  const char* const tissue =
      result_layout(database) >= 2 ? "tissue" : "CASE state WHEN 'done' THEN width * height ELSE 0 END";
  Statement rows = database.prepare(
      fmt::format("SELECT tile, x, y, width, height, state, read_seconds, compute_seconds, error, {} FROM tiles "
                  "ORDER BY tile",
                  tissue));
  const RunInfo& grid = results_->info();
  const StoredRow row(database, rows, "tiles");
  std::vector<TileRecord> tiles;
  while (rows.step()) {
    const std::int64_t x = row.integer(1, 0, grid.width - 1), y = row.integer(2, 0, grid.height - 1);
    const std::int64_t width = row.integer(3, 1, grid.width - x), height = row.integer(4, 1, grid.height - y);
    tiles.push_back({row.integer(0, 0, kMostUnits - 1), x, y, width, height, state_in(row, 5), row.real_or_nan(6),
                     row.real_or_nan(7), row.text(8), row.integer(9, 0, width * height)});
  }
  return tiles;
}

void TileStore::commit(std::span<const TileResult> tiles) {
  for (; tiles.size() > Database::kMostAttached; tiles = tiles.subspan(Database::kMostAttached))
    commit_together(*results_, tiles.first(Database::kMostAttached));
  commit_together(*results_, tiles);
}

void TileStore::commit_tile(const TileRecord& tile, const std::vector<NucleusRecord>& nuclei) {
  const TileResult result{tile, nuclei};
  commit(std::span(&result, 1));
}

}  // namespace starpath::io
