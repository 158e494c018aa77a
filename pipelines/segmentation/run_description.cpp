// What identifies and describes a run, and the checks of its options.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

/// Raised whenever the definition of an operation changes, so that results of two definitions are never mixed.
constexpr int kDefinitionVersion = 3;

}  // namespace

io::RunKey run_key(const io::SlideInfo& slide, const SegmentationOptions& options) {
  const Rect& roi = options.tiling.roi;
  const nlohmann::json parameters = {
      {"pipeline", "segmentation"},
      {"definition", kDefinitionVersion},
      {"tile", options.tiling.tile},
      {"halo", options.tiling.halo},
      {"mpp", options.target_mpp},
      {"slide_mpp", options.resolution.mpp},
      {"roi", {roi.x, roi.y, roi.width, roi.height}},
      {"parameters", parameters_json(options.parameters)},
  };
  return {slide.fingerprint, version, parameters.dump()};
}

io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const SegmentationOptions& options) {
  io::RunInfo info = run_info(slide, grid, options.resolution, options.tiling.roi);
  info.feature_names.assign(kFeatureNames.begin(), kFeatureNames.end());
  return info;
}

std::int64_t halo_of(const PixelParameters& parameters) {
  constexpr int filters = 14;  // what later operations see of their surroundings
  const double nucleus = std::sqrt(static_cast<double>(parameters.nucleus_max_area));
  const std::int64_t reach =
      parameters.reconstruction_steps + 2 * parameters.opening_reach + parameters.local_reach + filters;
  return std::max<std::int64_t>(reach, std::llround(2 * nucleus));
}

void check_work_mpp(double mpp) {
  if (!(mpp >= kLeastWorkMpp && mpp <= kMostWorkMpp))
    throw Error(ErrorKind::usage,
                fmt::format("--work-mpp {} cannot be: use {} to {} um/px", mpp, kLeastWorkMpp, kMostWorkMpp));
}

void check_options(const io::WorkingSlide& slide, const SegmentationOptions& options) {
  constexpr std::int64_t smallest_halo = 32, largest_side = 30000;
  const TilingOptions& tiling = options.tiling;
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (tiling.halo < smallest_halo)
    refuse(fmt::format("--halo {} is too small: nuclei at seams would be cut; use {} or more", tiling.halo,
                       smallest_halo));
  if (tiling.tile < tiling.halo)
    refuse(fmt::format("--tile {} is smaller than --halo {}: use a larger tile or a smaller halo", tiling.tile,
                       tiling.halo));
  if (tiling.tile + 2 * std::max(tiling.halo, tiling.cell) > largest_side)
    refuse(fmt::format("--tile {} with --halo {} is too large: together at most {} px", tiling.tile, tiling.halo,
                       largest_side));
  check_run_options(slide, tiling.roi, options.window);
  check_parameters(options.parameters, levels_beside(options.parameters, options.levels));
}

}  // namespace starpath
