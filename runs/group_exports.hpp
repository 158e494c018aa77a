// Exports of results that need no slide, for commands that put nuclei into groups.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "runs/files_at_work.hpp"

namespace starpath {

/// Throws Error{usage} when one of `wanted` beside the results would replace a file that the command reads, as the
/// regions that were drawn for the slide, and Error{output} when it would replace a file that is no such export.
void check_group_exports(const std::filesystem::path& results, const std::vector<std::string>& wanted);

/// Writes those that `names` says beside each of `results`, on `threads` threads, until `stop` is true. Throws as the
/// exports.
FilesAtEnd write_group_exports(const std::vector<std::filesystem::path>& results, const std::vector<std::string>& names,
                               int threads, RunListener& report, const std::atomic<bool>& stop);

}  // namespace starpath
