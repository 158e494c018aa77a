// What is asked of every run over a slide, and the options that ask it.
#pragma once
#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "io/exports/export.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/task_log.hpp"

namespace starpath::apps {

struct RunArguments {
  std::string input, out;
  SessionOptions session;
  std::string roi;  ///< x,y,width,height, or of segment a file with regions (apps/run/roi.hpp); empty: all
  std::vector<std::string> exports;
  int export_threads = 1;  ///< that exports may use together
  bool resume = false, overwrite = false, json = false, quiet = false;
  double patience = 60;  ///< seconds after which a silent rank is lost
  std::string record;    ///< file to leave for a comparison; empty: none
  TaskLog log;           ///< what goes into it

  /// Where a pipeline shall note its tasks; nullptr without --record. Stays where these arguments are.
  TaskLog* wanted_log() { return record.empty() ? nullptr : &log; }
};

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
void add_scheduling(CLI::App& command, RunArguments& arguments);
/// --json, --quiet.
void add_progress(CLI::App& command, RunArguments& arguments);
/// --patience.
void add_patience(CLI::App& command, RunArguments& arguments);
/// INPUT, a single slide.
void add_input(CLI::App& command, RunArguments& arguments);

/// --out, --policy, --cpus, --gpus, --roi ("Only `what` in …", and `or_file`, if a file may be said too), --export (any
/// of `exports`, if there are any), --resume, --overwrite, --json, --quiet, --record, --patience.
void add_run_options(CLI::App& command, RunArguments& arguments, const std::string& what, const ExportNames& exports,
                     const std::string& or_file = "");

}  // namespace starpath::apps
