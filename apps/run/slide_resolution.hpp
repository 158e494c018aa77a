// The resolution of a slide: determined in one place for all commands, and told.
#pragma once
#include <nlohmann/json.hpp>

#include "io/slides/resolution.hpp"

namespace starpath::apps {

/// `said` if it is > 0, else what the file says or lets conclude, else what the size of nuclei tells (a few fields of
/// the slide are read for that), else io::kDesignMpp.
io::Resolution resolution_of(const io::Slide& slide, double said);

/// {"mpp", "source", "detail"}.
nlohmann::json resolution_json(const io::Resolution& resolution);

/// Tells a doubtful resolution on stderr, before any work.
void warn_of_resolution(const io::Resolution& resolution);

}  // namespace starpath::apps
