// Survey, choice of fields, segmentation.
#include "pipelines/preview/preview.hpp"

#include <fmt/format.h>

#include "pipelines/preview/field_choice.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"

namespace starpath {
namespace {

constexpr int kOverviewSide = 900;

SegmentationOptions options_of(const PreviewRequest& request) {
  SegmentationOptions options;
  options.parameters = request.parameters;
  options.resolution = request.resolution;
  options.tiling.halo = 0;
  options.tiling.halo = halo_of(options);
  options.tiling.roi = request.roi;
  return options;
}

/// The fields that the survey looked at, cut at the region.
std::vector<Rect> surveyed_fields(const Survey& survey, const io::WorkingSlide& grid, const Rect& region) {
  const Rect within = intersection(region, {0, 0, grid.width(), grid.height()});
  std::vector<Rect> fields;
  for (const auto& [x, y] : survey.places)
    fields.push_back(intersection(
        {x / kPreviewField * kPreviewField, y / kPreviewField * kPreviewField, kPreviewField, kPreviewField}, within));
  return fields;
}

}  // namespace

void check_request(const PreviewRequest& request, const io::WorkingSlide& grid) {
  check_options(grid, options_of(request));
}

io::Overview overview_of(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewRequest& request) {
  const Rect whole{0, 0, grid.width(), grid.height()};
  return io::read_overview(slide, grid, request.roi.empty() ? whole : intersection(request.roi, whole), kOverviewSide);
}

Preview find_preview(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewRequest& request,
                     const io::Overview& overview, const OnPreviewStep& on_step, const std::atomic<bool>& stop) {
  Preview found;
  found.options = options_of(request);
  for (const std::string& note : prepare_gpus_for_slides(found.options)) on_step(note);
  found.options.gpus_prepared = true;
  found.survey = survey_for(grid, found.options, stop);
  if (stop) return found;
  std::vector<Rect> surveyed;
  if (found.survey) surveyed = surveyed_fields(*found.survey, grid, overview.region);
  const std::vector<Rect> chosen = choose_preview_fields(overview, request.fields, surveyed);
  const OnField on_field = [&](std::size_t field, std::size_t variant) {
    on_step(fmt::format("field {} of {}, {}", field + 1, chosen.size(), request.variants[variant].label));
  };
  found.fields =
      segment_fields(slide, grid, found.options, request.variants, read_fields(grid, chosen), on_field, stop);
  found.differences_surveyed = found.survey && found.survey->tissue > 0;
  if (found.differences_surveyed)
    found.differences = found.survey->difference;
  else if (!stop)
    found.differences = differences_of(grid, found.fields, found.options);
  return found;
}

}  // namespace starpath
