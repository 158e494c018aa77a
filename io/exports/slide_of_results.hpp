// The slide that an export reads beside results.
#pragma once
#include <memory>
#include <string>

#include "io/results/result_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// Opens the slide at `path`, or where it was when `path` is empty, so that places in the results are places on it:
/// with the whole canvas where the results are of a version that knew no bounds. Throws Error{input}.
std::unique_ptr<Slide> open_slide_of(const RunInfo& info, const std::string& path = "");

/// Opens the slide that the results are of: at `said`, or where it was when `said` is empty. Throws Error{input} when
/// the slide is not there and Error{mismatch} when it is another one.
std::unique_ptr<Slide> slide_of(const ResultStore& store, const std::string& said);

}  // namespace starpath::io
