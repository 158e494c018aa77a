// Reading nuclei, and accepting them.
#include "io/results/nucleus_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/group_tables.hpp"
#include "io/results/nucleus_rows.hpp"
#include "io/results/open_results.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

bool accepts(const Database& database, const std::vector<std::int64_t>& row_ids) {
  Statement rows = database.prepare("SELECT object FROM accepted ORDER BY id");
  std::size_t count = 0;
  for (; rows.step(); ++count)
    if (count == row_ids.size() || rows.integer(0) != row_ids[count]) return false;
  return count == row_ids.size();
}

void put_accepted(Database& database, Checksums& checksums, const std::vector<std::int64_t>& row_ids) {
  database.execute("DELETE FROM accepted");
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
  checksums.part_written(kAcceptedPart);
}

}  // namespace

void NucleusStore::for_each_stored(bool with_features, const NucleusVisitor& visit) const {
  const NucleusRows nuclei(results_->database(), results_->info(),
                           with_features ? results_->info().feature_names : std::vector<std::string>(),
                           NucleusParts::all);
  // The index gives the order: nothing is sorted, so memory stays the same however many there are.
  Statement rows = results_->database().prepare(
      fmt::format("SELECT objects.object, {} FROM objects INDEXED BY objects_in_raster_order{}"
                  " ORDER BY first_y, first_x, tile",
                  nuclei.columns(), nuclei.joins()));
  nuclei.visit(rows, visit, "SELECT count(*) FROM objects");
}

void NucleusStore::for_each_stored_place(const NucleusVisitor& visit) const {
  const NucleusRows nuclei(results_->database(), results_->info(), {}, NucleusParts::places);
  Statement rows = results_->database().prepare(
      fmt::format("SELECT objects.object, {} FROM objects ORDER BY object", nuclei.columns()));
  nuclei.visit(rows, visit);
}

void NucleusStore::for_each_stored_of(std::span<const std::int64_t> row_ids, const NucleusVisitor& visit) const {
  const NucleusRows nuclei(results_->database(), results_->info(), {}, NucleusParts::all);
  Statement row = results_->database().prepare(
      fmt::format("SELECT objects.object, {} FROM objects WHERE object = ?", nuclei.columns()));
  for (const std::int64_t row_id : row_ids) {
    bool found = false;
    row.bind(1, row_id);
    nuclei.visit(row, [&](std::int64_t id, const NucleusRecord& nucleus) {
      found = true;
      visit(id, nucleus);
    });
    if (!found) throw damaged_results(results_->database(), fmt::format("object {} is not there", row_id));
  }
}

void NucleusStore::for_each_pair(const std::string& first, const std::string& second,
                                 const std::function<void(std::int64_t, double, double)>& visit) const {
  Statement rows = results_->database().prepare(fmt::format("SELECT object, {}, {} FROM features ORDER BY object",
                                                            sql_identifier(first), sql_identifier(second)));
  const StoredRow row(results_->database(), rows, "features");
  while (rows.step()) visit(rows.integer(0), row.real_or_nan(1), row.real_or_nan(2));
}

void NucleusStore::accept(const std::vector<std::int64_t>& row_ids_in_order, const NucleusRegions* regions) {
  Database& database = results_->database();
  // Any tile that was written since would have emptied the table.
  const bool as_before = accepts(database, row_ids_in_order);
  tallest_.reset();
  results_->transact([&](Checksums& checksums) {
    put_accepted(database, checksums, row_ids_in_order);
    if (regions != nullptr) put_regions(database, checksums, *regions);
    if (!as_before) remove_clusters(database, checksums);
    if (!as_before) remove_classes(database, checksums);
    mark_finished(database, checksums);
  });
}

std::int64_t NucleusStore::nucleus_count() const {
  return results_->database().integer("SELECT count(*) FROM accepted");
}

void NucleusStore::visit_accepted(const std::vector<std::string>& features, NucleusParts parts, NucleusIds ids,
                                  const NucleusVisitor& visit) const {
  const Database& database = results_->database();
  const NucleusRows nuclei(database, results_->info(), features, parts,
                           {has_regions(database), has_clusters(database), has_classes(database)});
  Statement rows = database.prepare(
      fmt::format("SELECT accepted.id, {} FROM accepted CROSS JOIN objects ON objects.object = accepted.object{}"
                  " WHERE accepted.id BETWEEN {} AND {} ORDER BY accepted.id",
                  nuclei.columns(), nuclei.joins(), ids.first, ids.last));
  const std::string counted =
      fmt::format("SELECT count(*) FROM accepted WHERE id BETWEEN {} AND {}", ids.first, ids.last);
  nuclei.visit(rows, visit, counted.c_str());
}

void NucleusStore::for_each_nucleus(bool with_features, const NucleusVisitor& visit) const {
  visit_accepted(with_features ? results_->info().feature_names : std::vector<std::string>(), NucleusParts::all, {},
                 visit);
}

void NucleusStore::for_each_nucleus_with(const std::vector<std::string>& names, const NucleusVisitor& visit,
                                         NucleusParts parts, NucleusIds ids) const {
  const std::vector<std::string> known = results_->info().feature_names;
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw Error(ErrorKind::mismatch, fmt::format("{}: has no feature '{}'; run segment again, or ask for others",
                                                   results_->database().path(), name));
  visit_accepted(names, parts, ids, visit);
}

void NucleusStore::for_each_nucleus_in_rows(std::int64_t y0, std::int64_t y1, const NucleusVisitor& visit) const {
  if (!tallest_) tallest_ = results_->database().integer("SELECT max(y1 - y0) FROM accepted");
  const NucleusRows nuclei(results_->database(), results_->info(), {}, NucleusParts::all);
  Statement rows = results_->database().prepare(
      fmt::format("SELECT id, {} FROM accepted INDEXED BY accepted_by_top CROSS JOIN objects ON "
                  "objects.object = accepted.object"
                  " WHERE accepted.y0 > ? AND accepted.y0 < ? AND accepted.y1 > ? ORDER BY accepted.y0, id",
                  nuclei.columns()));
  rows.bind(1, y0 - *tallest_);
  rows.bind(2, y1);
  rows.bind(3, y0);
  nuclei.visit(rows, visit);
}

}  // namespace starpath::io
