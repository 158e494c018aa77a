// What begins a study.
#include "runs/study/study_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "io/exports/exports.hpp"
#include "io/results/result_parts.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/working_scale.hpp"
#include "io/study/folder_names.hpp"
#include "io/study/study_schema.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/study/slide_list.hpp"
#include "runs/kept_files.hpp"
#include "runs/output_folder.hpp"
#include "starpath_version.hpp"

namespace starpath {

namespace fs = std::filesystem;

namespace {

/// In the folders that slides get in a new study. Folders of a study that goes on are asked again, slide by slide.
void check_exports_of(const SegmentRequest& request, std::vector<io::StudySlide> slides) {
  io::name_folders(slides, {});
  for (const auto& [name, kind] : wanted_outputs(request, io::kNucleiExports))
    for (const io::StudySlide& slide : slides) {
      const fs::path file = fs::path(request.out) / slide.folder / name;
      if (!is_input(file))  // else its slide fails, and the others go on
        check_may_replace(file, kind, "move it away, choose another --out, or an --export without it");
    }
}

/// JSON of the resolution and the regions of all slides; a list of slides may give a slide others. Throws
/// Error{input} for a file with regions that cannot be read.
std::string said_of_all(const SegmentRequest& request) {
  constexpr std::int64_t share = std::int64_t{64} << 20;  // bytes of a file at both ends
  // The same file may be named in another way.
  const auto file_text = [](const std::string& file) {
    io::Digest digest;
    io::add_file(digest, file, share);
    return "a file with the digest " + digest.hex();
  };
  nlohmann::json said = nlohmann::json::object();
  if (request.mpp > 0) said["mpp"] = request.mpp;
  if (names_region_file(request.roi))
    said["roi"] = file_text(request.roi);
  else if (!request.roi.empty())
    said["roi"] = fmt::format("{}", fmt::join(roi_numbers(request.roi), ","));
  if (!request.exclude.empty()) said["exclude"] = file_text(request.exclude);
  return said.dump();
}

}  // namespace

std::string parameters_of_all(const SegmentRequest& request) {
  const SegmentationOptions& options = request.options;
  nlohmann::json parameters = {{"pipeline", "segmentation"},
                               {"tile", options.tiling.tile},
                               {"halo", options.tiling.halo},
                               {"work_mpp", options.target_mpp},
                               {"parameters", parameters_json(options.parameters)}};
  if (!options.families.all()) parameters["families"] = text_of(options.families);
  return parameters.dump();
}

io::StudyStore open_study(const SegmentRequest& request) {
  const fs::path file = fs::path(request.out) / "study.sqlite";
  const bool exists = holds_file(file, request);
  if (exists && !request.resume && !request.overwrite)
    throw Error(ErrorKind::output, fmt::format("{} holds a study already: continue it with --resume, replace it with "
                                               "--overwrite, or choose another --out",
                                               file.string()));
  const std::string parameters = parameters_of_all(request), said = said_of_all(request);
  if (exists && request.resume) return io::StudyStore::resume(file, version, parameters, said);
  check_may_replace(file, io::kStudyOutput.kind, "move it away, or choose another --out");
  io::remove_results_file(file);
  return io::StudyStore::create(file, version, parameters, said);
}

void check_study(const SegmentRequest& request) {
  check_request(request);
  if (request.mpp > 0) io::working_scale("--mpp", request.mpp, request.options.target_mpp);
  said_of_all(request);  // whether the files of regions can be read
}

std::vector<io::StudySlide> checked_slides(const SegmentRequest& request, std::vector<io::StudySlide> slides) {
  check_given_once(slides);
  Paths inputs = network_files_of(request);
  inputs.insert(inputs.end(), {request.parameters_file, request.weights_file});
  for (io::StudySlide& slide : slides) {
    if (slide.mpp == 0) slide.mpp = request.mpp;
    if (slide.roi.empty()) slide.roi = request.roi;
    if (slide.exclude.empty()) slide.exclude = request.exclude;
    for (const std::string& file : {slide.path, names_region_file(slide.roi) ? slide.roi : "", slide.exclude})
      inputs.emplace_back(file);
  }
  check_names(slides);
  check_record(request, inputs);
  check_exports_of(request, slides);
  return slides;
}

}  // namespace starpath
