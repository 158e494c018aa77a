// The options that ask a run.
#pragma once
#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "io/exports/export.hpp"
#include "runs/run_request.hpp"

namespace starpath::apps {

/// What can stand behind --export, and what does when nothing is said.
struct ExportNames {
  std::vector<std::string> all, unless_said;
};

template <class Source, std::size_t n>
ExportNames names_of(const std::array<io::Export<Source>, n>& exports) {
  ExportNames names;
  for (const io::Export<Source>& each : exports) {
    names.all.emplace_back(each.name);
    if (each.unless_said) names.unless_said.emplace_back(each.name);
  }
  return names;
}

/// --policy, --cpus, --gpus.
void add_scheduling(CLI::App& command, RunRequest& request);
/// --json, --quiet.
void add_progress(CLI::App& command, RunRequest& request);
/// --patience.
void add_patience(CLI::App& command, RunRequest& request);
/// --streams, which is returned, and --readers: instead of handing out `units`.
CLI::Option* add_stream_options(CLI::App& command, StreamsAsked& streams, const std::string& units);
/// INPUT, a single slide.
void add_input(CLI::App& command, RunRequest& request);

/// --out, --trusted, --policy, --cpus, --gpus, --roi ("Only `what` in …", and `or_file`, if a file may be said too),
/// --export (any of `exports`, if there are any), --resume, --overwrite, --json, --quiet, --record, --patience.
void add_run_options(CLI::App& command, RunRequest& request, const std::string& what, const ExportNames& exports,
                     const std::string& or_file = "");

}  // namespace starpath::apps
