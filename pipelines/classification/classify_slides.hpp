// Classes for all nuclei of results or of a study: from results to results.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/study/study_classes.hpp"
#include "pipelines/classification/classified_slides.hpp"
#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {

struct ClassifiedNuclei {
  io::StudyClasses classes;           // also where there is no study: its slide has number 0
  std::vector<std::string> warnings;  // a line each
};

/// Told while nuclei are read.
struct ClassifyProgress {
  std::function<void(const ClassifiedSlide& slide)> on_slide;  // before each slide
  std::function<void(double share)> on_share;                  // of all nuclei, now and then
};

/// Classifies the nuclei of `slides` and writes the classes into each slide's results, one transaction a slide, and
/// then into the study where `path` is one. `slides` are slides_to_classify(path). StarPU is running. Once `stop` is
/// true it ends without writing the slide at work, and nothing is returned. Throws as ColumnReader and
/// check_resolution, and Error{input} when there are no nuclei, before anything is written.
std::optional<ClassifiedNuclei> classify_slides(const std::filesystem::path& path,
                                                const std::vector<ClassifiedSlide>& slides, const NucleusModel& model,
                                                const ClassifyProgress& progress, const std::atomic<bool>& stop);

}  // namespace starpath
