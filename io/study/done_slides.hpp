// The slides of a study that are done.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::io {

struct DoneSlide {
  std::int64_t number;            // in study.sqlite
  std::filesystem::path results;  // its results.sqlite, not opened yet
};

/// Whether the folder is that of a run over many slides.
bool is_study(const std::filesystem::path& path);

/// Throws Error{input} when it is not.
void check_is_study(const std::filesystem::path& path);

/// The slides of `rows` that are done, by number. `left_out` gets a line for each other slide. Throws Error{input} for
/// a slide whose results are gone.
std::vector<DoneSlide> done_slides(const std::filesystem::path& study, const std::vector<StudyRow>& rows,
                                   std::vector<std::string>& left_out);

}  // namespace starpath::io
