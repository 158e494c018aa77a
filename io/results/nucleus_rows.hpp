// Nuclei as rows of the tables of a results file.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// Groups of nuclei that rows tell. Whoever asks for them selects from `accepted`.
struct NucleusGroupsRead {
  bool region = false, cluster = false, classified = false;
};

/// Which columns hold a nucleus, and what they say. Does not outlive database and grid. Not thread-safe.
class NucleusRows {
 public:
  NucleusRows(const Database& database, const RunInfo& grid, std::vector<std::string> features, NucleusParts parts,
              NucleusGroupsRead groups = {});

  /// To be selected behind the nucleus's number, from `objects` joined with `joins()`.
  std::string columns() const;
  std::string joins() const;

  /// Calls `visit(number, nucleus)` for each row. `counted`: how many there must be, as SQL; nullptr: any number. A row
  /// that lacks its other half in another table is damage.
  void visit(Statement& rows, const NucleusVisitor& visit, const char* counted = nullptr) const;

 private:
  const Database& database_;
  const RunInfo& grid_;
  const std::vector<std::string> features_;
  const NucleusParts parts_;
  const NucleusGroupsRead groups_;
};

}  // namespace starpath::io
