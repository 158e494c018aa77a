// From a key to an agreement, and from parts to one file.
#include "runs/slide_pipeline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.hpp"
#include "io/results/result_parts.hpp"

namespace starpath {

std::vector<std::string> notes_on(const io::Resolution& resolution) {
  const std::string warning = io::resolution_warning(resolution);
  return warning.empty() ? std::vector<std::string>{} : std::vector{"warning: " + warning};
}

mpi::Agreement SlidePipeline::open(Role) {
  const io::RunKey& key = open_input();
  nlohmann::json parameters = nlohmann::json::parse(key.parameters);
  if (const std::string besides = agreement(); !besides.empty()) parameters["plan"] = besides;
  return {key.starpath_version, key.slide_fingerprint, parameters.dump()};
}

void SlidePipeline::take_over(const std::vector<RankPart>& parts, RunListener& report) {
  report.phase(fmt::format("merging the results of {} ranks", parts.size() + 1));
  for (const RankPart& part : parts) {
    std::error_code error;
    const std::int64_t merged = std::filesystem::exists(part.file, error) ? merge(part.file) : 0;
    if (merged < part.stored)
      throw Error(ErrorKind::output,
                  fmt::format("{}: holds {} of the {} {}s of {}: --out must be one folder that all nodes share",
                              part.file.string(), merged, part.stored, unit(), part.rank));
    io::remove_results_file(part.file);
  }
}

}  // namespace starpath
