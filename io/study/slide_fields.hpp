// The fields of a study's slide, each stated once with its name: for SQL and for messages between ranks.
#pragma once
#include <string>

namespace starpath::io {

/// Calls visit(column, field) for what is said of a slide, by the columns of the table `slides`. `Slide`: StudySlide,
/// const or not.
template <class Slide, class Visit>
void for_each_said(Slide&& slide, const Visit& visit) {
  visit("path", slide.path);
  visit("folder", slide.folder);
  visit("patient", slide.patient);
  visit("\"group\"", slide.group);
  visit("mpp_said", slide.mpp);
  visit("roi_said", slide.roi);
  visit("exclude_said", slide.exclude);
}

/// The same for what came of a slide (SlideSummary) and has a column of the table `slides`.
template <class Summary, class Visit>
void for_each_column(Summary&& summary, const Visit& visit) {
  visit("state", summary.state);
  visit("error", summary.error);
  visit("nuclei", summary.nuclei);
  visit("left_out_eosin", summary.left_out_eosin);
  visit("analysed_mm2", summary.analysed_mm2);
  visit("nuclei_per_mm2", summary.nuclei_per_mm2);
  visit("median_area_um2", summary.median_area_um2);
  visit("tiles", summary.tiles);
  visit("tiles_background", summary.tiles_background);
  visit("tiles_failed", summary.tiles_failed);
  visit("width", summary.width);
  visit("height", summary.height);
  visit("mpp", summary.mpp);
  visit("mpp_source", summary.mpp_source);
  visit("seconds", summary.seconds);
  visit("parameters", summary.parameters);
  visit("survey", summary.survey);
  visit("file_state", summary.file_state);
}

/// The same for all that came of a slide: also what has tables of its own.
template <class Summary, class Visit>
void for_each_field(Summary& summary, const Visit& visit) {
  for_each_column(summary, visit);
  visit("warnings", summary.warnings);
  visit("features", summary.features);
  visit("regions", summary.regions);
}

/// The columns that the first two functions visit, joined by commas. Each is written as `form` says, where {} or {0} is
/// its name.
std::string columns_said(const char* form);
std::string columns_of_summary(const char* form);

}  // namespace starpath::io
