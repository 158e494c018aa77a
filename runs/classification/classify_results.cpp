// From a model and results to classes and exports.
#include "runs/classification/classify_results.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "io/study/done_slides.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "runs/compute.hpp"
#include "runs/group_exports.hpp"
#include "runs/output_folder.hpp"
#include "runs/write_exports.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

/// The folder that no other run may write into meanwhile.
fs::path folder_of(const std::string& input) {
  if (io::is_study(input) || fs::is_directory(input)) return input;
  if (!fs::exists(input))
    throw Error(ErrorKind::input, input + ": is not there; give results of `starpath segment`, or a study");
  return fs::absolute(input).parent_path();
}

}  // namespace

ClassifiedResults classify_results(const RunRequest& run, const std::string& model, RunListener& listener,
                                   const std::atomic<bool>& stop) {
  const NucleusModel read = read_nucleus_model(model);
  RunRequest request = run;
  request.out = folder_of(run.input).string();
  choose_policy(request.session);
  check_starpu_environment();
  const auto lock = lock_output(request);
  ClassifiedResults all;
  all.slides = slides_to_classify(request.input, all.warnings);
  std::vector<fs::path> results;
  for (const ClassifiedSlide& slide : all.slides) results.push_back(slide.results);
  for (const fs::path& each : results) check_group_exports(each, request.exports);
  const ClassifyProgress progress = {
      [&](const ClassifiedSlide& slide) { listener.phase("classifying " + slide.results.string()); },
      [&](double share) { listener.share(share); }};
  compute(request, listener, [&] { all.found = classify_slides(request.input, all.slides, read, progress, stop); });
  if (!all.found) return all;
  all.warnings.insert(all.warnings.end(), all.found->warnings.begin(), all.found->warnings.end());
  all.exports = write_group_exports(results, request.exports, threads_after(request.session), listener, stop);
  return all;
}

}  // namespace starpath
