// A preview as JSON and as a page for browsers. Pure.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/slides/overview.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/preview/preview.hpp"

namespace starpath::pages {

/// What the page shows. It refers to what a preview was made from and found.
struct PreviewFacts {
  const io::SlideInfo& slide;
  const io::WorkingSlide& grid;
  const PreviewRequest& request;
  const std::vector<std::string>& origins;  ///< of each row of parameter_table(): where its value comes from
  const io::Overview& overview;
  const Preview& found;
};

/// What makes the preview doubtful, a sentence each.
std::vector<std::string> warnings_of(const PreviewFacts& facts);

/// What --json prints: resolution, warnings, parameters with value and origin, and for each field, in level-0 pixels,
/// the variants with their counts. `page` is the file that was written.
nlohmann::json summary_of(const PreviewFacts& facts, const std::string& page, double seconds);

/// One HTML file that needs no other and no network: page/preview.html with its style, script and data inlined.
std::string page_of(const PreviewFacts& facts);

}  // namespace starpath::pages
