// Files that a command must not write over: those that it reads, and results.
#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "apps/run/run_arguments.hpp"
#include "io/exports/export.hpp"

namespace starpath::apps {

using Paths = std::vector<std::filesystem::path>;

/// results.sqlite and study.sqlite of a folder, there or not, and those in the folders in it.
Paths databases_of(const std::filesystem::path& folder);

/// Throws Error{usage} when `out` is one of `inputs`, by a link or another spelling too, or a tile of one that is a
/// folder of tiles: "is what `made` is made from; `remedy`". Empty paths, and inputs that are no files, are passed
/// over.
void check_is_no_input(const std::filesystem::path& out, const Paths& inputs, const std::string& made,
                       const std::string& remedy = "give --out another name");

/// The same for `files` in the --out of a run, for its results and for its --record, which must be none of `files` and
/// of the databases in --out either.
void check_outputs(const RunArguments& arguments, const Paths& inputs, const std::vector<std::string>& files);

/// The same for the --record of a run alone.
void check_record(const RunArguments& arguments, const Paths& inputs);

/// Names of those files that a run was asked for.
template <class Source, std::size_t n>
std::vector<std::string> wanted_files(const RunArguments& arguments, const std::array<io::Export<Source>, n>& exports) {
  std::vector<std::string> files;
  for (const io::Export<Source>& each : exports)
    if (std::ranges::find(arguments.exports, each.name) != arguments.exports.end()) files.emplace_back(each.file);
  return files;
}

}  // namespace starpath::apps
