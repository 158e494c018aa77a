// One slide of a study, from its opening to its last export.
#pragma once
#include <atomic>
#include <string>

#include "io/study/study_store.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/tile_window.hpp"
#include "pipelines/study/slide_outcome.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/slide_turns.hpp"

namespace starpath {

/// The request for one slide of the study, which says resolution and region itself.
SegmentRequest request_for(const SegmentRequest& study, const io::StudySlide& slide);

/// Sizes and times of a slide's file and of those with its regions: while they are the same, so are the results.
std::string state_of_files(const std::string& slide, const std::string& roi, const std::string& exclude);

/// Does what a run over the slide alone does, but for starting StarPU and telling. Takes its tiles from `window`, and
/// tells `turn` how far it is. The listener hears notes alone. Once `stop` is true it ends early. Throws what ends the
/// slide.
SlideOutcome segment_study_slide(const SegmentRequest& request, TileWindow& window, SlideTurn& turn,
                                 const ProgressCallback& on_progress, RunListener& listener,
                                 const std::atomic<bool>& stop);

}  // namespace starpath
