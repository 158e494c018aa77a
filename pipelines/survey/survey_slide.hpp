// Looking at a slide before it is segmented: a bounded sample of its fields, as StarPU tasks.
#pragma once
#include <atomic>
#include <functional>
#include <optional>

#include "io/slides/working_slide.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tiling.hpp"
#include "pipelines/survey/survey.hpp"

namespace starpath {

struct SurveyOptions {
  Rect roi;                        // empty for the whole slide
  int attempts = 3;                // for a field or patch that cannot be read
  int opening_reach = 9;           // of operation 3, and
  int reconstruction_steps = 192;  // of operation 4, as the segmentation takes them: its levels are those of this image
  TaskLog* log = nullptr;          // gets every task, when there is one
  bool gpus_prepared = false;      // for images larger than a field
  std::function<bool(const Rect& field)> wanted = {};  // fields that it refuses are left out
  bool normalise = false;  // levels are those of the colours of the reference, where the stains are found
};

/// The memory for the largest field that the survey of a slide may look at.
MemoryNeed survey_memory_need(const io::WorkingSlide& slide, const Rect& roi,
                              const std::function<bool(const Rect& field)>& wanted);

/// Surveys a slide. Parts that cannot be read are left out. StarPU must be running. Nothing once `stop` is true. The
/// result depends on slide, grid and options alone. Throws Error{runtime} when StarPU has no worker for a stage.
std::optional<Survey> survey_slide(const io::WorkingSlide& slide, const SurveyOptions& options,
                                   const std::atomic<bool>& stop);

}  // namespace starpath
