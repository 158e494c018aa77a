// Nuclei in turn, with progress.
#pragma once
#include <string>
#include <vector>

#include "io/exports/export_options.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

/// ResultStore::for_each_nucleus_with, telling `on_progress` every few hundred nuclei and at the end.
inline void visit_nuclei(const ResultStore& store, const std::vector<std::string>& features, NucleusParts parts,
                         const ExportProgress& on_progress, const NucleusVisitor& visit) {
  constexpr std::int64_t step = 256;
  const std::int64_t total = store.nucleus_count();
  const auto visit_and_tell = [&](std::int64_t id, const NucleusRecord& nucleus) {
    visit(id, nucleus);
    if (on_progress && (id % step == 0 || id == total))
      on_progress(static_cast<double>(id) / static_cast<double>(total));
  };
  store.for_each_nucleus_with(features, visit_and_tell, parts);
}

}  // namespace starpath::io
