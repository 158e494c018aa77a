// What a segmentation with some parameters finds in a few fields of a slide.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "io/slides/overview.hpp"
#include "io/slides/resolution.hpp"
#include "pipelines/preview/fields.hpp"
#include "pipelines/preview/variants.hpp"
#include "pipelines/segmentation/options.hpp"
#include "pipelines/survey/survey.hpp"

namespace starpath {

/// What a user asks of a preview.
struct PreviewRequest {
  SegmentationParameters parameters;  ///< as given
  std::vector<Variant> variants;      ///< every field is segmented under each of them
  io::Resolution resolution;          ///< of the slide
  Rect roi;                           ///< where fields may lie, working pixels; empty: in the whole slide
  std::size_t fields = 6;             ///< at the most
};

/// What a preview found.
struct Preview {
  SegmentationOptions options;        ///< of a run over the slide, with the slide's levels and stains
  std::optional<Survey> survey;       ///< none where the user gave every level
  std::vector<PreviewField> fields;   ///< with what was found under each variant
  PixelCounts differences{};          ///< difference image: of the survey's tissue, or of the fields without that
  bool differences_surveyed = false;  ///< which of the two
};

/// Throws Error{usage} for parameters that contradict each other and a region outside of the slide.
void check_request(const PreviewRequest& request, const io::WorkingSlide& grid);

/// The region that the request allows, at most about 900 pixels a side. Throws as Slide::read.
io::Overview overview_of(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewRequest& request);

/// Told before each step of the work, by one thread at a time: "field 2 of 6, G1=40".
using OnPreviewStep = std::function<void(const std::string& text)>;

/// Surveys the slide, chooses fields by the survey and the overview, and segments them. StarPU must be running. Once
/// `stop` is true, what comes back is not complete. Throws as survey_slide and nuclei_of_region.
Preview find_preview(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewRequest& request,
                     const io::Overview& overview, const OnPreviewStep& on_step, const std::atomic<bool>& stop);

}  // namespace starpath
