// The survey of an image in memory, on the calling thread, without StarPU.
#pragma once
#include "codelets/kernels/image.hpp"
#include "pipelines/survey/survey_slide.hpp"

namespace starpath {

/// What survey_slide finds in a slide of one level with these pixels, at its working resolution.
Survey survey_image(RgbView image, const SurveyOptions& options);

}  // namespace starpath
