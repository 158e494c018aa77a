// What identifies and describes a run, and the checks of its options.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/annotations/region_files.hpp"
#include "io/slides/fingerprint.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

/// Raised whenever the definition of an operation changes, so that results of two definitions are never mixed.
constexpr int kDefinitionVersion = 3;

/// Regions in a few words that no others have: a tissue mask may have 100,000 vertices.
std::string identity_of(const io::RegionMap& regions) {
  io::Digest digest;
  digest.add(io::regions_geojson(regions));
  return fmt::format("{} and {} excluded ({:016x})", regions.regions().size(), regions.excluded().size(),
                     digest.value());
}

/// A network knows nuclei of one size alone. `option`: by which it was asked for.
void check_network_mpp(const SegmentationOptions& options, double wanted, const char* option) {
  constexpr double tolerance = .01;
  if (std::abs(options.target_mpp - wanted) > tolerance * wanted)
    throw Error(
        ErrorKind::usage,
        fmt::format("--work-mpp {} cannot be with {}, whose network takes {} um/px; --detector levels takes any",
                    options.target_mpp, option, wanted));
}

constexpr std::int64_t kSmallestHalo = 32;

/// Polygons of a network may be so long, in pixels of 0.5 um: 25 um.
constexpr int kLongestStar = 51, kShortestStar = 17;

/// Whole fields must fit into what is read around a tile.
void check_fields(const SegmentationOptions& options) {
  const NetworkDescription& network = options.parameters.network->network().description;
  const std::int64_t needed =
      has_stars(options.parameters) ? halo_of_stars(kShortestStar, network) : kSmallestHalo + reach_of_fields(network);
  if (options.tiling.halo < needed)
    throw Error(ErrorKind::usage, fmt::format("--halo {} cannot be with --network: fields of {} px need {} or more",
                                              options.tiling.halo, network.field, needed));
}

/// Wide enough for instances of 100 pixels (longest_instance).
constexpr std::int64_t kHaloOfLabels = 224;

/// Room for a clump of several nuclei, whose parts the relief joins.
std::int64_t halo_of_scores(const SegmentationOptions& options) {
  constexpr std::int64_t filters = 32;
  const PixelParameters parameters = pixel_parameters(options.parameters, options.levels, options.target_mpp);
  return filters + std::llround(4 * std::sqrt(static_cast<double>(parameters.nucleus_max_area)));
}

void check_maps(const SegmentationOptions& options) {
  if (detection_by(options.parameters.detector) != Detection::levels)
    throw Error(ErrorKind::usage,
                fmt::format("detector={} cannot be with maps, which tell where nuclei are; leave it out",
                            options.parameters.detector));
  const bool has_levels = options.parameters.nucleus_score && options.parameters.core_score;
  if (options.of_maps == Detection::scores && !has_levels)
    throw Error(ErrorKind::usage, "nucleus_score and core_score cannot be auto with maps; say numbers from 1 to 255");
}

}  // namespace

io::RunKey run_key(const io::SlideInfo& slide, const SegmentationOptions& options) {
  const Rect& roi = options.tiling.roi;
  nlohmann::json parameters = {
      {"pipeline", "segmentation"},
      {"definition", kDefinitionVersion},
      {"tile", options.tiling.tile},
      {"halo", options.tiling.halo},
      {"mpp", options.target_mpp},
      {"slide_mpp", options.resolution.mpp},
      {"roi", {roi.x, roi.y, roi.width, roi.height}},
      {"parameters", parameters_json(options.parameters)},
  };
  if (slide.place) parameters["bounds"] = bounds_of(slide);
  // Results of versions before this option have all families and do not say so.
  if (!options.families.all()) parameters["families"] = text_of(options.families);
  if (options.maps) parameters["maps"] = options.maps->identity();
  if (options.regions) parameters["regions"] = identity_of(*options.regions);
  return {slide.fingerprint, version, parameters.dump()};
}

void use_regions(std::shared_ptr<const io::RegionMap> regions, const io::WorkingSlide& slide,
                 SegmentationOptions& options) {
  const double scale = slide.scale();
  const io::Box whole{0, 0, static_cast<double>(slide.width()) * scale, static_cast<double>(slide.height()) * scale};
  const io::Box around = regions->bounds(whole);  // numbers in it may be any
  const io::Box box{std::max(around.x0, whole.x0), std::max(around.y0, whole.y0), std::min(around.x1, whole.x1),
                    std::min(around.y1, whole.y1)};
  const auto x0 = static_cast<std::int64_t>(std::floor(box.x0 / scale)),
             y0 = static_cast<std::int64_t>(std::floor(box.y0 / scale));
  const auto x1 = static_cast<std::int64_t>(std::ceil(box.x1 / scale)),
             y1 = static_cast<std::int64_t>(std::ceil(box.y1 / scale));
  if (!regions->regions().empty())
    options.tiling.roi = intersection({x0, y0, x1 - x0, y1 - y0}, {0, 0, slide.width(), slide.height()});
  options.tiling.wanted = [regions, scale](const Rect& core) {
    return regions->wants({static_cast<double>(core.x) * scale, static_cast<double>(core.y) * scale,
                           static_cast<double>(core.right()) * scale, static_cast<double>(core.bottom()) * scale});
  };
  options.regions = std::move(regions);
}

io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const SegmentationOptions& options) {
  io::RunInfo info = run_info(slide, grid, options.resolution, options.tiling.roi);
  info.feature_names = feature_names(options.families);
  return info;
}

std::int64_t halo_of(const PixelParameters& parameters) {
  const double nucleus = std::sqrt(static_cast<double>(parameters.nucleus_max_area));
  const DetectorChannels channels{
      {parameters.channels_0, parameters.channels_1, parameters.channels_2, parameters.channels_3}};
  if (parameters.channels_0 != 0) return detector_reach(channels) + channels.step() + std::llround(2 * nucleus);
  if (parameters.fields_reach != 0) return parameters.fields_reach + std::llround(2 * nucleus);
  constexpr int filters = 14;  // what later operations see of their surroundings
  const std::int64_t reach =
      parameters.reconstruction_steps + 2 * parameters.opening_reach + parameters.local_reach + filters;
  return std::max<std::int64_t>(reach, std::llround(2 * nucleus));
}

void check_work_mpp(double mpp) {
  if (!(mpp >= kLeastWorkMpp && mpp <= kMostWorkMpp))
    throw Error(ErrorKind::usage,
                fmt::format("--work-mpp {} cannot be: use {} to {} um/px", mpp, kLeastWorkMpp, kMostWorkMpp));
}

std::int64_t halo_of(const SegmentationOptions& options) {
  if (options.tiling.halo != 0) return options.tiling.halo;
  if (options.of_maps == Detection::labels) return kHaloOfLabels;
  if (options.of_maps == Detection::scores) return halo_of_scores(options);
  if (has_stars(options.parameters))
    return halo_of_stars(kLongestStar, options.parameters.network->network().description);
  return halo_of(pixel_parameters(options.parameters, options.levels, options.target_mpp));
}

void check_options(const SegmentationOptions& options) {
  constexpr std::int64_t largest_side = 30000;
  const TilingOptions& tiling = options.tiling;
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (tiling.halo < kSmallestHalo)
    refuse(fmt::format("--halo {} is too small: nuclei at seams would be cut; use {} or more", tiling.halo,
                       kSmallestHalo));
  if (tiling.tile < tiling.halo)
    refuse(fmt::format("--tile {} is smaller than --halo {}: use a larger tile or a smaller halo", tiling.tile,
                       tiling.halo));
  if (tiling.tile + 2 * std::max(tiling.halo, tiling.cell) > largest_side)
    refuse(fmt::format("--tile {} with --halo {} is too large: together at most {} px", tiling.tile, tiling.halo,
                       largest_side));
  check_window(options.window);
  if (options.of_maps) check_maps(options);
  if (is_learned(options.parameters))
    check_network_mpp(options, weights_of(options.parameters).mpp, "--detector learned");
  if (has_network(options.parameters)) {
    check_network_mpp(options, options.parameters.network->network().description.mpp, "--network");
    check_fields(options);
  }
  check_parameters(options.parameters, levels_beside(options.parameters, options.levels));
  if (options.parameters.stain_check >= 0.5 && !options.families.has(FeatureFamily::intensity))
    refuse(fmt::format("--families {} cannot be: the stain check needs intensity; add it, or say --set stain_check=0",
                       text_of(options.families)));
}

void check_options(const io::WorkingSlide& slide, const SegmentationOptions& options) {
  check_options(options);
  const TilingOptions& tiling = options.tiling;
  check_run_options(slide, tiling.roi, options.window);
  if (tiling.wanted && cut_tiles(slide.width(), slide.height(), tiling).empty())
    throw Error(ErrorKind::usage, "--exclude leaves nothing to analyse; exclude less");
}

}  // namespace starpath
