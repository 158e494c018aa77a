// Files that a command must not write over: those that it reads, and results.
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/own_file.hpp"
#include "io/exports/export.hpp"
#include "runs/run_request.hpp"

namespace starpath {

using Paths = std::vector<std::filesystem::path>;

/// results.sqlite and study.sqlite of a folder, there or not, and those in the folders in it.
Paths databases_of(const std::filesystem::path& folder);

/// Notes `inputs` (io/slides/slide_parts.hpp), so that no output of the process replaces one. Throws Error{usage} when
/// `out` is one of them, or another file that the process has read, by a link or another spelling too: "is what `made`
/// is made from; `remedy`". That is before the work; each output is asked once more where it is opened. Empty paths,
/// and inputs that are no files, are passed over.
void check_is_no_input(const std::filesystem::path& out, const Paths& inputs, const std::string& made,
                       const std::string& remedy = "give --out another name");

/// The same for `outputs` in the --out of a run, for its results and for its --record, which must be none of `outputs`
/// and of the databases in --out either. Throws Error{output} where another program's file has the name of one of
/// `outputs` (check_may_replace).
void check_outputs(const RunRequest& request, const Paths& inputs, const std::vector<NamedOutput>& outputs);

/// The same for the --record of a run alone, and check_plugin_outputs().
void check_record(const RunRequest& request, const Paths& inputs);

/// The same for the files that the plug-in writes: STARPATH_STATS and STARPATH_TRACE. The plug-in does not know which
/// files the command reads; this is asked when they are noted. Throws Error{output} for files that the plug-in did not
/// write.
void check_plugin_outputs(const RunRequest& request);

/// Those of `exports` that a run was asked for.
template <class Source, std::size_t n>
std::vector<NamedOutput> wanted_outputs(const RunRequest& request, const std::array<io::Export<Source>, n>& exports) {
  std::vector<NamedOutput> outputs;
  io::for_each_wanted(exports, request.exports, [&](const auto& each) { outputs.push_back(each.output()); });
  return outputs;
}

}  // namespace starpath
