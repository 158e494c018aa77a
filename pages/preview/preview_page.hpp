// A preview as JSON and as a page for browsers. Pure.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipelines/preview/slide_preview.hpp"

namespace starpath::pages {

/// What makes the preview doubtful, a sentence each.
std::vector<std::string> warnings_of(const SlidePreview& facts);

/// What --json prints: resolution, warnings, parameters with value and origin, and for each field, in level-0 pixels,
/// the variants with their counts. `page` is the file that was written.
nlohmann::json summary_of(const SlidePreview& facts, const std::string& page, double seconds);

/// One HTML file that needs no other and no network: page/preview.html with its style, script and data inlined.
std::string page_of(const SlidePreview& facts);

}  // namespace starpath::pages
