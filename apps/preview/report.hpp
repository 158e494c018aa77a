// A preview as JSON and as a page for browsers. Pure.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/preview/preview.hpp"
#include "apps/segment/parameter_options.hpp"

namespace starpath::apps {

/// Everything that a preview found.
struct Preview {
  io::SlideInfo slide;
  double scale = 1;                            // level-0 pixels per working pixel
  double work_mpp = 0;                         // micrometres a working pixel; 0: not known
  std::string resolution;                      // a sentence: what it is and who says so
  std::vector<std::string> warnings;           // a sentence each
  SegmentationOptions options;                 // with levels
  ParameterArguments said;                     // where the parameters come from
  std::string levels_from;                     // where levels come from that the user left out
  std::vector<std::string> survey;             // what else is known of the slide, a sentence each
  bool differences_surveyed = false;           // below: of the survey's tissue, not of the fields
  Histogram differences{};                     // by operation 4
  std::array<std::array<int, 3>, 2> stains{};  // optical densities of haematoxylin and eosin; only their ratios matter
  Overview overview;
  std::vector<Variant> variants;
  std::vector<PreviewField> fields;
  double seconds = 0;
};

/// What --json prints: resolution, warnings, parameters with value and origin, and for each field, in level-0 pixels,
/// the variants with their counts. `page` is the file that was written.
nlohmann::json summary_of(const Preview& preview, const std::string& page);

/// One HTML file that needs no other and no network: page/preview.html with its style, script and data inlined.
std::string page_of(const Preview& preview);

}  // namespace starpath::apps
