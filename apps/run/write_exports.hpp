// The exports of a run.
#pragma once
#include <array>
#include <filesystem>
#include <functional>

#include "apps/run/progress_report.hpp"
#include "apps/run/run_arguments.hpp"
#include "apps/run/run_outcome.hpp"
#include "io/exports/export.hpp"

namespace starpath::apps {

/// Writes one export if it was asked for. One that the slide cannot be read for is told and noted, not thrown.
void write_export(const RunArguments& arguments, const char* what, const char* name, ProgressReport& report,
                  Outcome& outcome, const std::function<void(const std::filesystem::path&)>& exporter);

/// Those of `exports` that were asked for.
template <class Source, std::size_t n>
void write_exports(const RunArguments& arguments, const std::array<io::Export<Source>, n>& exports,
                   const Source& source, ProgressReport& report, Outcome& outcome) {
  for (const io::Export<Source>& each : exports)
    write_export(arguments, each.name, each.file, report, outcome,
                 [&](const std::filesystem::path& file) { each.write(source, file); });
}

}  // namespace starpath::apps
