// The slides of a study that a command works on, and what it tells of the others.
#pragma once
#include <filesystem>
#include <vector>

#include "io/study/done_slides.hpp"

namespace starpath::apps {

/// The slides of the study that are done, by number. Each other slide is told on standard error. Throws Error{input}
/// for a slide whose results are gone, and when no slide is done.
std::vector<io::DoneSlide> done_slides(const std::filesystem::path& study);

}  // namespace starpath::apps
