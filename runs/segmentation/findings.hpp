// What a segmentation found, and how it is told.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/results/group_records.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/resolution.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/survey/survey.hpp"
#include "runs/run_result.hpp"

namespace starpath {

struct SegmentFindings {
  io::Resolution resolution;
  std::optional<Survey> survey;           ///< where the slide was surveyed
  std::optional<AcceptedNuclei> nuclei;   ///< known once all tiles are done
  std::optional<double> median_area_um2;  ///< where there are enough nuclei to tell
  std::vector<io::RegionRecord> regions;  ///< of the request
  double level0_mpp = 0;                  ///< 0: not known
  std::vector<std::string> of_input;      ///< what the slide's reader and the maps' have noticed
};

/// The median area of the accepted nuclei in square micrometres, or nothing where nuclei are too few to tell.
std::optional<double> median_nuclear_area(const io::ResultStore& store);

/// What makes these results doubtful, a line each: a resolution that is not sure; a median nucleus smaller or larger
/// than those of tissue, as with a wrong resolution or objects that are no nuclei; what
/// the readers have noticed.
std::vector<std::string> warnings_of(const SegmentFindings& findings);

/// A survey without what is meant for drawings.
nlohmann::json survey_summary(const Survey& survey);

/// In words and as JSON, with the resolution and without files.
Conclusion describe(const SegmentFindings& findings);

}  // namespace starpath
