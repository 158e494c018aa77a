// Classes for the nuclei of results or of a study, from the request to the exports.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "pipelines/classification/classify_slides.hpp"
#include "runs/files_at_work.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

struct ClassifiedResults {
  std::vector<ClassifiedSlide> slides;
  std::optional<ClassifiedNuclei> found;  ///< nothing where the work was stopped before
  std::vector<std::string> warnings;      ///< a line each
  FilesAtEnd exports;
};

/// Gives every nucleus of run.input, which is results or a study, a class by the model in the file `model`, and writes
/// run.exports beside each results file. Throws as classify_slides() and the exports, and Error{input} when the input
/// is not there.
ClassifiedResults classify_results(const RunRequest& run, const std::string& model, RunListener& listener,
                                   const std::atomic<bool>& stop);

}  // namespace starpath
