// From a file to one that is checked, and for writing also locked and guarded.
#include "io/results/open_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostCache = std::int64_t{64} << 20;  // bytes

}  // namespace

OpenResults::OpenResults(const std::string& path, const ResultTables& tables)
    : database_(path, Database::Open::existing), tables_(tables) {
  check_result_schema(database_);
  check_tables(database_, tables);
  // After that check: the first reading undoes what a killed run left half done.
  database_.execute("PRAGMA query_only = ON");
  // Nuclei are read row by row of the slide: two tables have a page at work for each tile across; the mebibyte is for
  // inner pages and `accepted`. A larger cache is slower (bench/results/foundation.md).
  set_cache((std::int64_t{1} << 20) +
            2 * kPageBytes * database_.integer(fmt::format("SELECT count(DISTINCT x) FROM {}", tables.units)));
}

OpenResults::OpenResults(const std::string& path, const ResultTables& tables, const RunKey& key)
    : database_(path, Database::Open::existing), tables_(tables) {
  set_cache(kMostCache);  // indexes grow everywhere
  check_result_schema(database_);
  check_same_run(database_, key);  // first: another pipeline's results have other tables
  check_can_be_changed(database_);
  check_tables(database_, tables);
  lock_results_file(database_, tables.commits);
  check_integrity(database_);
  check_contents(database_, tables);
  bring_up_to_date(database_, tables);
  checksums_.emplace(database_, tables);
}

OpenResults::~OpenResults() {
  if (!checksums_) return;
  try {
    if (!kept_.empty()) transact([](Checksums&) {});
  } catch (const Error&) {  // no unit was written with it
  }
  checksums_.reset();
  try {
    close_results_file(database_);
  } catch (const Error&) {  // the next one to open the file does it
  }
}

void OpenResults::set_cache(std::int64_t bytes) {
  database_.execute(fmt::format("PRAGMA cache_size = {}", -std::min(bytes, kMostCache) / 1024));
}

const RunInfo& OpenResults::info() {
  if (!info_) {
    info_ = read_run_info(database_);
    note_input(info_->slide_path);  // no place for an export
  }
  return *info_;
}

std::optional<std::string> OpenResults::kept(const std::string& name) const {
  if (const auto waiting = kept_.find(name); waiting != kept_.end()) return waiting->second;
  Statement row = database_.prepare("SELECT value FROM run WHERE key = ?");
  row.bind(1, std::string_view(name));
  if (!row.step()) return std::nullopt;
  return row.text(0);
}

void OpenResults::check_writes() const {
  if (!checksums_) throw Error(ErrorKind::internal, database_.path() + ": was opened for reading; please report this");
}

void OpenResults::put_kept() {
  if (kept_.empty()) return;
  Statement put = database_.prepare("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)");
  for (const auto& [name, text] : kept_) put.run(std::string_view(name), std::string_view(text));
  checksums_->part_written(kRunPart);
}

}  // namespace starpath::io
