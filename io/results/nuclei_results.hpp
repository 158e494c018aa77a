// The finished results that exports are made from.
#pragma once
#include <filesystem>

#include "io/results/result_store.hpp"

namespace starpath::io {

/// `path` itself, or the results file in it when it is a folder. Throws Error{usage} for the study.sqlite of a study.
std::filesystem::path results_at(const std::filesystem::path& path);

/// Opens results of `segment` for reading. Throws Error{input} when there are none, Error{mismatch} when they are of
/// another command, of a run that has not come to its end, or not what a run wrote, Error{output} while a run is at
/// work. Reads the whole file once.
ResultStore open_nuclei(const std::filesystem::path& file);

}  // namespace starpath::io
