// What begins and ends a study.
#include "apps/study/study_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/run/kept_files.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/roi.hpp"
#include "apps/run/run_outcome.hpp"
#include "apps/study/folder_names.hpp"
#include "apps/study/slide_list.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/working_scale.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

std::string parameters_of_all(const SegmentArguments& arguments) {
  const SegmentationOptions& options = arguments.options;
  return nlohmann::json{{"pipeline", "segmentation"},
                        {"tile", options.tiling.tile},
                        {"halo", options.tiling.halo},
                        {"work_mpp", options.target_mpp},
                        {"parameters", parameters_json(options.parameters)}}
      .dump();
}

std::string said_of_all(const SegmentArguments& arguments) {
  constexpr std::int64_t share = std::int64_t{64} << 20;  // bytes of a file at both ends
  // The same file may be named in another way.
  const auto file_text = [](const std::string& file) {
    io::Digest digest;
    io::add_file(digest, file, share);
    return "a file with the digest " + digest.hex();
  };
  nlohmann::json said = nlohmann::json::object();
  if (arguments.mpp > 0) said["mpp"] = arguments.mpp;
  if (names_region_file(arguments.roi))
    said["roi"] = file_text(arguments.roi);
  else if (!arguments.roi.empty())
    said["roi"] = fmt::format("{}", fmt::join(roi_numbers(arguments.roi), ","));
  if (!arguments.exclude.empty()) said["exclude"] = file_text(arguments.exclude);
  return said.dump();
}

io::StudyStore open_study(const SegmentArguments& arguments) {
  const fs::path file = fs::path(arguments.out) / "study.sqlite";
  const bool exists = holds_file(file, arguments);
  if (exists && !arguments.resume && !arguments.overwrite)
    throw Error(ErrorKind::output, fmt::format("{} holds a study already: continue it with --resume, replace it with "
                                               "--overwrite, or choose another --out",
                                               file.string()));
  const std::string parameters = parameters_of_all(arguments), said = said_of_all(arguments);
  if (exists && arguments.resume) return io::StudyStore::resume(file, version, parameters, said);
  io::remove_results_file(file);
  return io::StudyStore::create(file, version, parameters, said);
}

void check_study(SegmentArguments& arguments) {
  check_arguments(arguments);
  if (arguments.mpp > 0) io::working_scale("--mpp", arguments.mpp, arguments.options.target_mpp);
  said_of_all(arguments);  // whether the files of regions can be read
  choose_policy(arguments.session);
  check_starpu_environment();
}

void check_slides(const SegmentArguments& arguments, std::vector<io::StudySlide>& slides) {
  check_given_once(slides);
  Paths inputs = {arguments.parameters.file};
  for (io::StudySlide& slide : slides) {
    if (slide.mpp == 0) slide.mpp = arguments.mpp;
    if (slide.roi.empty()) slide.roi = arguments.roi;
    if (slide.exclude.empty()) slide.exclude = arguments.exclude;
    for (const std::string& file : {slide.path, names_region_file(slide.roi) ? slide.roi : "", slide.exclude})
      inputs.emplace_back(file);
  }
  check_names(slides);
  check_record(arguments, inputs);
}

std::vector<std::string> choose_folders(const io::StudyStore& store, std::vector<io::StudySlide>& slides) {
  std::vector<io::StudySlide> known;
  for (const io::StudyRow& row : store.rows()) known.push_back(row.slide);
  name_folders(slides, known);
  std::vector<std::string> names;
  for (const io::StudySlide& slide : slides) names.push_back(slide.folder);
  return names;
}

int tell_study(const RunArguments& arguments, const Outcome& outcome, AtomicFile* record) {
  const int code = tell(arguments, outcome, record);
  const auto failed = outcome.found_json["slides_failed"].get<std::int64_t>();
  const auto kept = outcome.found_json["slides_kept"].get<std::int64_t>();
  const auto refused = outcome.found_json["slides_kept_refused"].get<std::int64_t>();
  if (failed + kept == 0 || outcome.progress.interrupted) return code;
  if (failed > 0)
    print_error(
        "starpath: {} of {} slides failed (listed above and in study.sqlite, table slides); try them again with "
        "--resume\n",
        failed, outcome.found_json["slides"].get<std::int64_t>());
  const bool only_refused = code == 0 && failed == 0 && kept == refused;
  return static_cast<int>(only_refused ? ErrorKind::mismatch : ErrorKind::tiles_failed);
}

}  // namespace starpath::apps
