// Classes for all nuclei of results or of a study: from results to results.
#pragma once
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/classify/classified_slides.hpp"
#include "apps/run/progress_report.hpp"
#include "io/study/study_classes.hpp"
#include "pipelines/classification/nucleus_model.hpp"

namespace starpath::apps {

struct ClassifyOutcome {
  std::vector<ClassifiedSlide> slides;
  io::StudyClasses classes;           // also where there is no study: its slide has number 0
  std::vector<std::string> warnings;  // a line each
};

/// Classifies the nuclei of `path` and writes the classes into each slide's results, one transaction a slide, and then
/// into the study. StarPU is running. Once `stop` is true it ends after the slide at work without writing that one:
/// nothing is returned. `exports` are those that will be written. Throws as slides_at, ColumnReader, check_resolution
/// and check_group_exports, before anything is written, and
/// Error{input} when there are no nuclei.
std::optional<ClassifyOutcome> classify_slides(const std::filesystem::path& path, const NucleusModel& model,
                                               const std::vector<std::string>& exports, ProgressReport& report,
                                               const std::atomic<bool>& stop);

}  // namespace starpath::apps
