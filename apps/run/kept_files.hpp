// Files that a command must not write over: those that it reads, and results.
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/run/run_request.hpp"
#include "io/exports/export.hpp"

namespace starpath::apps {

using Paths = std::vector<std::filesystem::path>;

/// results.sqlite and study.sqlite of a folder, there or not, and those in the folders in it.
Paths databases_of(const std::filesystem::path& folder);

/// Notes `inputs` (io/slides/slide_parts.hpp), so that no output of the process replaces one. Throws Error{usage} when
/// `out` is one of them, or another file that the process has read, by a link or another spelling too: "is what `made`
/// is made from; `remedy`". That is before the work; each output is asked once more where it is opened. Empty paths,
/// and inputs that are no files, are passed over.
void check_is_no_input(const std::filesystem::path& out, const Paths& inputs, const std::string& made,
                       const std::string& remedy = "give --out another name");

/// The same for `files` in the --out of a run, for its results and for its --record, which must be none of `files` and
/// of the databases in --out either.
void check_outputs(const RunRequest& request, const Paths& inputs, const std::vector<std::string>& files);

/// The same for the --record of a run alone, and check_plugin_outputs().
void check_record(const RunRequest& request, const Paths& inputs);

/// The same for what the plug-in writes into: STARPATH_STATS and STARPATH_TRACE. It cannot know the inputs itself. To
/// be asked when they are noted.
void check_plugin_outputs(const RunRequest& request);

/// Names of those files that a run was asked for.
template <class Source, std::size_t n>
std::vector<std::string> wanted_files(const RunRequest& request, const std::array<io::Export<Source>, n>& exports) {
  std::vector<std::string> files;
  io::for_each_wanted(exports, request.exports, [&](const auto& each) { files.emplace_back(each.file); });
  return files;
}

}  // namespace starpath::apps
