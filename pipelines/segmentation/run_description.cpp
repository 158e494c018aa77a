// What identifies and describes a run, and the checks of its options.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

/// Raised whenever the definition of an operation changes, so that results of two definitions are never mixed.
constexpr int definition_version = 1;

Rect roi_of(const SegmentationOptions& options, std::int64_t width, std::int64_t height) {
  const Rect whole{0, 0, width, height};
  return options.tiling.roi.empty() ? whole : intersection(options.tiling.roi, whole);
}

}  // namespace

io::RunKey run_key(const io::SlideInfo& slide, const SegmentationOptions& options) {
  const Rect& roi = options.tiling.roi;
  const nlohmann::json parameters = {
      {"pipeline", "segmentation"},
      {"definition", definition_version},
      {"tile", options.tiling.tile},
      {"halo", options.tiling.halo},
      {"mpp", options.target_mpp},
      {"slide_mpp", options.slide_mpp},
      {"roi", {roi.x, roi.y, roi.width, roi.height}},
  };
  return {slide.fingerprint, version, parameters.dump()};
}

io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const SegmentationOptions& options) {
  io::RunInfo info{};
  info.slide_path = slide.path;
  info.slide_width = slide.width();
  info.slide_height = slide.height();
  info.slide_mpp = options.slide_mpp > 0 ? options.slide_mpp : slide.mpp;
  info.width = grid.width();
  info.height = grid.height();
  info.mpp = grid.mpp();
  info.scale = grid.scale();
  const Rect roi = roi_of(options, grid.width(), grid.height());
  info.roi_x = roi.x;
  info.roi_y = roi.y;
  info.roi_width = roi.width;
  info.roi_height = roi.height;
  info.feature_names.assign(feature_names.begin(), feature_names.end());
  return info;
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
  if (options.window < 0)
    refuse(fmt::format("--window {} makes no sense: use 1 or more tiles, or 0 for the default", options.window));
  if (!tiling.roi.empty() && roi_of(options, slide.width(), slide.height()).empty())
    refuse(fmt::format("--roi lies outside the slide, which is {:.0f}x{:.0f} px at level 0",
                       static_cast<double>(slide.width()) * slide.scale(),
                       static_cast<double>(slide.height()) * slide.scale()));
}

}  // namespace starpath
