// The finished results that exports are made from.
#pragma once
#include <filesystem>
#include <memory>

#include "io/results/result_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::apps {

/// `path` itself, or the results file in it when it is a folder. Throws Error{usage} for the study.sqlite of a study.
std::filesystem::path results_at(const std::filesystem::path& path);

/// Opens results of `segment` for reading. Throws Error{input} when there are none, Error{mismatch} when they are of
/// another command, of a run that has not come to its end, or not what a run wrote, Error{output} while a run is at
/// work. Reads the whole file once.
io::ResultStore open_nuclei(const std::filesystem::path& file);

/// Opens the slide that the results are of: at `said`, or where it was when `said` is empty. Throws Error{input} when
/// it is not there and Error{mismatch} when it is another.
std::unique_ptr<io::Slide> slide_of(const io::ResultStore& store, const std::string& said);

}  // namespace starpath::apps
