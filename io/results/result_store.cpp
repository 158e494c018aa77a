// Making and opening results.sqlite.
#include "io/results/result_store.hpp"

#include "io/results/open_results.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"

namespace starpath::io {

ResultStore ResultStore::create(const std::string& path, const RunKey& key, const RunInfo& info,
                                const ResultTables& tables) {
  make_results_file(path, [&](Database& database) {
    create_result_schema(database, key, info, tables);
    Checksums(database, tables).part_written(kRunPart);
  });
  return resume(path, key, tables);
}

ResultStore ResultStore::resume(const std::string& path, const RunKey& key, const ResultTables& tables) {
  return ResultStore(std::make_shared<OpenResults>(path, tables, key));
}

ResultStore ResultStore::open(const std::string& path, const ResultTables& tables) {
  return ResultStore(std::make_shared<OpenResults>(path, tables));
}

ResultStore ResultStore::reader() const { return open(opened_->database().path(), opened_->tables()); }

RunKey ResultStore::key() const { return read_run_key(opened_->database()); }

RunInfo ResultStore::info() const { return opened_->info(); }

void ResultStore::keep(const std::string& name, const std::string& text) { opened_->keep(name, text); }

std::optional<std::string> ResultStore::kept(const std::string& name) const { return opened_->kept(name); }

}  // namespace starpath::io
