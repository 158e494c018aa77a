// results.sqlite: writing tiles, reading nuclei.
#include "io/results/result_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/contour_codec.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/nucleus_rows.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"
#include "io/results/row_checksum.hpp"
#include "io/results/stored_row.hpp"
#include "io/results/tile_rows.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostCache = std::int64_t{64} << 20;  // bytes

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

}  // namespace

struct ResultStore::Impl {
  explicit Impl(const std::string& path) : database(path, Database::Open::existing) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (!kept.empty()) try {
        transact([] {});
      } catch (const Error&) {  // no tile was written with it
      }
  }

  void set_cache(std::int64_t bytes) {
    database.execute(fmt::format("PRAGMA cache_size = {}", -std::min(bytes, kMostCache) / 1024));
  }

  void prepare_writing() {
    put_tile = database.prepare(
        "INSERT OR REPLACE INTO tiles (tile, x, y, width, height, state, objects, read_seconds, compute_seconds, error,"
        " tissue) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    put_object = database.prepare("INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    checksums.emplace(database, kSegmentationTables);
  }

  const RunInfo& info() {
    if (!run_info) {
      run_info = read_run_info(database);
      note_input(run_info->slide_path);  // no place for an export
    }
    return *run_info;
  }
  const std::vector<std::string>& feature_names() { return info().feature_names; }

  /// Calls `change` within a transaction, and writes what is kept.
  template <class Change>
  void transact(const Change& change) {
    Transaction transaction(database);
    change();
    for (const auto& [name, text] : kept)
      database.prepare("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)")
          .run(std::string_view(name), std::string_view(text));
    if (!kept.empty()) checksums->part_written(kRunPart);
    transaction.commit();
    kept.clear();
  }
  void put_accepted(const std::vector<std::int64_t>& row_ids);
  void commit(std::span<const TileResult> tiles);
  void put(const TileResult& result, const TileRows* rows, const std::string& schema);
  void remove_tile(std::int64_t tile);
  void visit_accepted(const std::vector<std::string>& features, NucleusParts parts, NucleusIds ids,
                      const NucleusVisitor& visit);
  bool accepts(const std::vector<std::int64_t>& row_ids) const;

  Database database;
  std::optional<RunInfo> run_info;
  std::optional<std::int64_t> tallest;  // accepted nucleus, pixels
  std::optional<Statement> put_tile, put_object;
  std::optional<Checksums> checksums;       // when this store writes
  std::map<std::string, std::string> kept;  // not written yet, by name
  std::vector<std::byte> contour_bytes;
};

ResultStore::ResultStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

ResultStore ResultStore::create(const std::string& path, const RunKey& key, const RunInfo& info) {
  make_results_file(path, [&](Database& database) {
    create_result_schema(database, key, info);
    Checksums(database, kSegmentationTables).part_written(kRunPart);
  });
  return resume(path, key);
}

ResultStore ResultStore::resume(const std::string& path, const RunKey& key) {
  auto impl = std::make_unique<Impl>(path);
  impl->set_cache(kMostCache);  // indexes grow everywhere
  check_result_schema(impl->database);
  check_same_run(impl->database, key);  // first: another pipeline's results have other tables
  check_can_be_changed(impl->database);
  check_tables(impl->database, kSegmentationTables);
  lock_results_file(impl->database, Commits::few_large);
  check_integrity(impl->database);
  check_contents(impl->database, kSegmentationTables);
  bring_up_to_date(impl->database, kSegmentationTables);
  impl->prepare_writing();
  return ResultStore(std::move(impl));
}

ResultStore ResultStore::open(const std::string& path) {
  auto impl = std::make_unique<Impl>(path);
  check_result_schema(impl->database);
  check_tables(impl->database, kSegmentationTables);
  // After that check: the first reading undoes what a killed run left half done.
  impl->database.execute("PRAGMA query_only = ON");
  // Nuclei are read row by row of the slide: two tables have a page at work for each tile across; the mebibyte is for
  // inner pages and `accepted`. A larger cache is slower (bench/results/foundation.md).
  impl->set_cache((std::int64_t{1} << 20) +
                  2 * kPageBytes * impl->database.integer("SELECT count(DISTINCT x) FROM tiles"));
  return ResultStore(std::move(impl));
}

ResultStore ResultStore::reader() const { return open(impl_->database.path()); }

RunKey ResultStore::key() const { return read_run_key(impl_->database); }

void ResultStore::keep(const std::string& name, const std::string& text) { impl_->kept.insert_or_assign(name, text); }

std::optional<std::string> ResultStore::kept(const std::string& name) const {
  if (const auto waiting = impl_->kept.find(name); waiting != impl_->kept.end()) return waiting->second;
  Statement row = impl_->database.prepare("SELECT value FROM run WHERE key = ?");
  row.bind(1, std::string_view(name));
  if (!row.step()) return std::nullopt;
  return row.text(0);
}

RunInfo ResultStore::info() const { return impl_->info(); }

std::vector<TileRecord> ResultStore::tiles() const {
  const char* const tissue =
      result_layout(impl_->database) >= 2 ? "tissue" : "CASE state WHEN 'done' THEN width * height ELSE 0 END";
  Statement rows = impl_->database.prepare(
      fmt::format("SELECT tile, x, y, width, height, state, read_seconds, compute_seconds, error, {} FROM tiles "
                  "ORDER BY tile",
                  tissue));
  const RunInfo& grid = impl_->info();
  const StoredRow row(impl_->database, rows, "tiles");
  std::vector<TileRecord> tiles;
  while (rows.step()) {
    const std::int64_t x = row.integer(1, 0, grid.width - 1), y = row.integer(2, 0, grid.height - 1);
    const std::int64_t width = row.integer(3, 1, grid.width - x), height = row.integer(4, 1, grid.height - y);
    tiles.push_back({row.integer(0, 0, kMostUnits - 1), x, y, width, height, state_in(row, 5), row.real_or_nan(6),
                     row.real_or_nan(7), row.text(8), row.integer(9, 0, width * height)});
  }
  return tiles;
}

void ResultStore::Impl::remove_tile(std::int64_t tile) {
  for (const char* table : {"objects", "features"})
    database.prepare(fmt::format("DELETE FROM {} WHERE object >= ? AND object < ?", table))
        .run(object_number(tile, 0), object_number(tile + 1, 0));
  database.execute("DELETE FROM accepted");
  checksums->part_gone(kAcceptedPart);
  unmark_finished(database, *checksums);
  tallest.reset();
}

void ResultStore::Impl::put(const TileResult& result, const TileRows* rows, const std::string& schema) {
  const TileRecord& tile = result.tile;
  remove_tile(tile.index);
  RowChecksum sum;
  run_and_sum(*put_tile, sum, tile.index, tile.x, tile.y, tile.width, tile.height, state_name(tile.state),
              static_cast<std::int64_t>(result.nuclei.size()), tile.read_seconds, tile.compute_seconds,
              std::string_view(tile.error), tile.tissue);
  std::int64_t object = object_number(tile.index, 0);
  for (const NucleusRecord& n : result.nuclei) {
    encode_contour(n.contour, contour_bytes);
    use_object_row(object++, n, contour_bytes, [&](const auto&... values) { put_object->run(values...); });
  }
  if (rows != nullptr) {
    database.execute(fmt::format("INSERT INTO main.features SELECT * FROM {}.features", schema));
    sum.append(rows->checksum());
  }
  checksums->unit_written(tile.index, sum.value());
}

void ResultStore::Impl::commit(std::span<const TileResult> tiles) {
  std::vector<std::shared_ptr<const TileRows>> rows;
  std::list<AttachedRows> attached;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    rows.push_back(rows_of(tiles[i], feature_names().size()));
    if (rows[i] == nullptr) continue;
    if (rows[i]->count() != std::ssize(tiles[i].nuclei))
      throw Error(ErrorKind::internal, fmt::format("tile {} has {} rows for {} nuclei; please report this",
                                                   tiles[i].tile.index, rows[i]->count(), tiles[i].nuclei.size()));
    attached.emplace_back(database, fmt::format("rows{}", i), *rows[i]);
  }
  transact([&] {
    for (std::size_t i = 0; i < tiles.size(); ++i) put(tiles[i], rows[i].get(), fmt::format("rows{}", i));
  });
}

void ResultStore::commit(std::span<const TileResult> tiles) {
  for (; tiles.size() > Database::kMostAttached; tiles = tiles.subspan(Database::kMostAttached))
    impl_->commit(tiles.first(Database::kMostAttached));
  impl_->commit(tiles);
}

void ResultStore::commit_tile(const TileRecord& tile, const std::vector<NucleusRecord>& nuclei) {
  const TileResult result{tile, nuclei};
  commit(std::span(&result, 1));
}

void ResultStore::Impl::visit_accepted(const std::vector<std::string>& features, NucleusParts parts, NucleusIds ids,
                                       const NucleusVisitor& visit) {
  const NucleusRows nuclei(database, info(), features, parts,
                           {has_regions(database), has_clusters(database), has_classes(database)});
  Statement rows = database.prepare(
      fmt::format("SELECT accepted.id, {} FROM accepted CROSS JOIN objects ON objects.object = accepted.object{}"
                  " WHERE accepted.id BETWEEN {} AND {} ORDER BY accepted.id",
                  nuclei.columns(), nuclei.joins(), ids.first, ids.last));
  const std::string counted =
      fmt::format("SELECT count(*) FROM accepted WHERE id BETWEEN {} AND {}", ids.first, ids.last);
  nuclei.visit(rows, visit, counted.c_str());
}

void ResultStore::for_each_stored(bool with_features, const NucleusVisitor& visit) const {
  const NucleusRows nuclei(impl_->database, impl_->info(),
                           with_features ? impl_->feature_names() : std::vector<std::string>(), NucleusParts::all);
  // The index gives the order: nothing is sorted, so memory stays the same however many there are.
  Statement rows =
      impl_->database.prepare(fmt::format("SELECT objects.object, {} FROM objects INDEXED BY objects_in_raster_order{}"
                                          " ORDER BY first_y, first_x, tile",
                                          nuclei.columns(), nuclei.joins()));
  nuclei.visit(rows, visit, "SELECT count(*) FROM objects");
}

void ResultStore::for_each_stored_place(const NucleusVisitor& visit) const {
  const NucleusRows nuclei(impl_->database, impl_->info(), {}, NucleusParts::places);
  Statement rows =
      impl_->database.prepare(fmt::format("SELECT objects.object, {} FROM objects ORDER BY object", nuclei.columns()));
  nuclei.visit(rows, visit);
}

void ResultStore::for_each_stored_of(std::span<const std::int64_t> row_ids, const NucleusVisitor& visit) const {
  const NucleusRows nuclei(impl_->database, impl_->info(), {}, NucleusParts::all);
  Statement row =
      impl_->database.prepare(fmt::format("SELECT objects.object, {} FROM objects WHERE object = ?", nuclei.columns()));
  for (const std::int64_t row_id : row_ids) {
    bool found = false;
    row.bind(1, row_id);
    nuclei.visit(row, [&](std::int64_t id, const NucleusRecord& nucleus) {
      found = true;
      visit(id, nucleus);
    });
    if (!found) throw damaged_results(impl_->database, fmt::format("object {} is not there", row_id));
  }
}

void ResultStore::for_each_pair(const std::string& first, const std::string& second,
                                const std::function<void(std::int64_t, double, double)>& visit) const {
  Statement rows = impl_->database.prepare(fmt::format("SELECT object, {}, {} FROM features ORDER BY object",
                                                       sql_identifier(first), sql_identifier(second)));
  const StoredRow row(impl_->database, rows, "features");
  while (rows.step()) visit(rows.integer(0), row.real_or_nan(1), row.real_or_nan(2));
}

bool ResultStore::Impl::accepts(const std::vector<std::int64_t>& row_ids) const {
  Statement rows = database.prepare("SELECT object FROM accepted ORDER BY id");
  std::size_t count = 0;
  for (; rows.step(); ++count)
    if (count == row_ids.size() || rows.integer(0) != row_ids[count]) return false;
  return count == row_ids.size();
}

void ResultStore::Impl::put_accepted(const std::vector<std::int64_t>& row_ids) {
  database.execute("DELETE FROM accepted");
  tallest.reset();
  Statement find = database.prepare("SELECT first_y, first_x, y0, y1 FROM objects WHERE object = ?");
  Statement put = database.prepare("INSERT INTO accepted (id, object, y0, y1) VALUES (?, ?, ?, ?)");
  std::pair<std::int64_t, std::int64_t> before{INT64_MIN, INT64_MIN};
  std::int64_t id = 0;
  for (const std::int64_t object : row_ids) {
    find.bind(1, object);
    if (!find.step())
      throw Error(ErrorKind::internal, fmt::format("accepted nucleus {} is not stored; please report this", object));
    const std::pair here{find.integer(0), find.integer(1)};
    if (here == before)
      throw damaged_results(database, fmt::format("two accepted nuclei begin at {},{}", here.second, here.first));
    if (here < before)
      throw Error(ErrorKind::internal, fmt::format("accepted nucleus {} is out of order; please report this", object));
    before = here;
    put.run(++id, object, find.integer(2), find.integer(3));
    find.step();
  }
  checksums->part_written(kAcceptedPart);
}

void ResultStore::accept(const std::vector<std::int64_t>& row_ids_in_order, const NucleusRegions* regions) {
  // Any tile that was written since would have emptied the table.
  const bool as_before = impl_->accepts(row_ids_in_order);
  impl_->transact([&] {
    impl_->put_accepted(row_ids_in_order);
    if (regions != nullptr) io::put_regions(impl_->database, *impl_->checksums, *regions);
    if (!as_before) remove_clusters(impl_->database, *impl_->checksums);
    if (!as_before) remove_classes(impl_->database, *impl_->checksums);
    mark_finished(impl_->database, *impl_->checksums);
  });
}

std::vector<RegionRecord> ResultStore::regions() const { return read_regions_of(impl_->database); }

std::vector<ClusterRecord> ResultStore::clusters() const { return read_clusters_of(impl_->database); }

void ResultStore::put_clusters(const std::vector<ClusterRecord>& clusters, std::span<const std::uint8_t> of_nuclei) {
  Transaction transaction(impl_->database);
  io::put_clusters(impl_->database, *impl_->checksums, clusters, of_nuclei);
  transaction.commit();
}

std::vector<ClassRecord> ResultStore::classes() const { return read_classes_of(impl_->database); }

void ResultStore::put_classes(const std::vector<ClassRecord>& classes, std::span<const ClassOfNucleus> of_nuclei) {
  Transaction transaction(impl_->database);
  io::put_classes(impl_->database, *impl_->checksums, classes, of_nuclei);
  transaction.commit();
}

void ResultStore::for_each_nucleus(bool with_features, const NucleusVisitor& visit) const {
  impl_->visit_accepted(with_features ? impl_->feature_names() : std::vector<std::string>(), NucleusParts::all, {},
                        visit);
}

void ResultStore::for_each_nucleus_with(const std::vector<std::string>& names, const NucleusVisitor& visit,
                                        NucleusParts parts, NucleusIds ids) const {
  const std::vector<std::string> known = impl_->feature_names();
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw Error(ErrorKind::mismatch, fmt::format("{}: has no feature '{}'; run segment again, or ask for others",
                                                   impl_->database.path(), name));
  impl_->visit_accepted(names, parts, ids, visit);
}

void ResultStore::for_each_nucleus_in_rows(std::int64_t y0, std::int64_t y1, const NucleusVisitor& visit) const {
  if (!impl_->tallest) impl_->tallest = impl_->database.integer("SELECT max(y1 - y0) FROM accepted");
  const NucleusRows nuclei(impl_->database, impl_->info(), {}, NucleusParts::all);
  Statement rows = impl_->database.prepare(
      fmt::format("SELECT id, {} FROM accepted INDEXED BY accepted_by_top CROSS JOIN objects ON "
                  "objects.object = accepted.object"
                  " WHERE accepted.y0 > ? AND accepted.y0 < ? AND accepted.y1 > ? ORDER BY accepted.y0, id",
                  nuclei.columns()));
  rows.bind(1, y0 - *impl_->tallest);
  rows.bind(2, y1);
  rows.bind(3, y0);
  nuclei.visit(rows, visit);
}

std::int64_t ResultStore::nucleus_count() const { return impl_->database.integer("SELECT count(*) FROM accepted"); }

}  // namespace starpath::io
