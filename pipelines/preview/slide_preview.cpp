// The steps of a preview.
#include "pipelines/preview/slide_preview.hpp"

#include "pipelines/run/roi.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"

namespace starpath {
namespace {

PreviewRequest request_of(const AskedPreview& asked, const io::Slide& slide) {
  return {parameters_of(asked.parameters),
          variants_of(asked.parameters, asked.sweep),
          resolution_of(slide, asked.mpp),
          {},
          asked.fields};
}

}  // namespace

SlidePreview::SlidePreview(const AskedPreview& asked)
    : slide(io::open_slide(asked.slide)),
      request(request_of(asked, *slide)),
      grid(*slide, io::kDesignMpp, request.resolution.mpp),
      origins(origins_of(asked.parameters, request.parameters)) {
  request.roi = working_roi(asked.roi, grid.scale());
  check_request(request, grid);
}

void SlidePreview::find(const OnPreviewStep& on_step, const std::atomic<bool>& stop) {
  on_step("looking for fields");
  overview = overview_of(*slide, grid, request);
  found = find_preview(*slide, grid, request, overview, on_step, stop);
}

}  // namespace starpath
