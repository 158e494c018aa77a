// A preview of a slide, from what a user asks to what was found.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "io/slides/overview.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/preview/preview.hpp"
#include "pipelines/segmentation/asked_parameters.hpp"

namespace starpath {

/// What a user asks of a preview.
struct AskedPreview {
  std::string slide;
  AskedParameters parameters = {};
  std::string sweep = {}, roi = {};  ///< as variants_of() and working_roi() take them
  double mpp = 0;                    ///< of the slide, as the user says; 0: not said
  std::size_t fields = 6;            ///< at the most
};

struct SlidePreview {
  /// Opens the slide. Throws for a slide that cannot be read, and for what makes no sense of it.
  explicit SlidePreview(const AskedPreview& asked);

  /// Looks at the slide and fills `overview` and `found`. StarPU must be running. Once `stop` is true, they are not
  /// complete. Throws as overview_of() and find_preview().
  void find(const OnPreviewStep& on_step, const std::atomic<bool>& stop);

  std::unique_ptr<io::Slide> slide;
  PreviewRequest request;
  io::WorkingSlide grid;
  std::vector<std::string> origins;  ///< of each row of parameter_table(): where its value comes from
  io::Overview overview;
  Preview found;
};

}  // namespace starpath
