// What a segmentation run came to, and how the command tells it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "pipelines/segmentation/options.hpp"

namespace starpath::apps {

struct Outcome {
  Progress progress;
  std::int64_t nuclei = 0;
  std::string policy;
  int cpu_workers = 0, cuda_workers = 0;
  std::vector<std::filesystem::path> files;           // written
  std::vector<std::filesystem::path> failed_exports;  // not written, because the slide could not be read for them
};

/// One JSON line on stdout, the last of a --json run.
void print_json(const Outcome& outcome);
/// The files, then one line of totals and shares, on stdout.
void print_text(const Outcome& outcome);
/// What went wrong, if anything, on stderr. Returns the exit code (docs/exit-codes.md).
int conclude(const Outcome& outcome);

}  // namespace starpath::apps
