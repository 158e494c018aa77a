// Nuclei in turn, with progress.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/on_threads.hpp"
#include "io/exports/export_file.hpp"
#include "io/exports/export_options.hpp"
#include "io/results/nucleus_store.hpp"

namespace starpath::io {

/// NucleusStore::for_each_nucleus_with, telling `on_progress` every few hundred nuclei and at the end.
inline void visit_nuclei(const NucleusStore& store, const std::vector<std::string>& features, NucleusParts parts,
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

/// Calls append(text, id, nucleus) for each accepted nucleus and writes the texts in the order of ids. Several threads
/// call it, and each thread other than the caller's reads with a store of its own. The bytes do not depend on the
/// number of threads.
template <class Append>
void write_nuclei(const ResultStore& store, const std::vector<std::string>& features, NucleusParts parts,
                  const ExportOptions& options, ExportFile& output, const Append& append) {
  constexpr std::int64_t nuclei = 1024;  // of a piece: a mebibyte of text or so
  const NucleusStore own(store);
  const std::int64_t total = own.nucleus_count();
  const auto most = static_cast<std::size_t>(2 * options.threads->all());  // pieces in memory
  std::vector<std::optional<NucleusStore>> readers(static_cast<std::size_t>(options.threads->all()));
  std::vector<std::string> pieces;
  for (std::int64_t done = 0; done < total;) {
    pieces.resize(std::min(most, static_cast<std::size_t>((total - done + nuclei - 1) / nuclei)));
    on_threads(*options.threads, pieces.size(), [&](std::size_t i, int thread) {
      std::optional<NucleusStore>& reader = readers[static_cast<std::size_t>(thread)];
      if (thread != 0 && !reader) reader.emplace(store.reader());
      pieces[i].clear();
      const std::int64_t before = done + static_cast<std::int64_t>(i) * nuclei;
      (thread == 0 ? own : *reader)
          .for_each_nucleus_with(features,
                                 [&](std::int64_t id, const NucleusRecord& nucleus) { append(pieces[i], id, nucleus); },
                                 parts, {before + 1, before + nuclei});
    });
    for (const std::string& piece : pieces) output.write(piece);
    done = std::min(total, done + static_cast<std::int64_t>(pieces.size()) * nuclei);
    if (options.on_progress) options.on_progress(static_cast<double>(done) / static_cast<double>(total));
  }
}

}  // namespace starpath::io
