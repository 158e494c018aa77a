// Many slides in one run.
#pragma once
#include <functional>
#include <vector>

#include "apps/segment/pipeline.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// Segments the slides in one session of StarPU, each into a folder of its own within arguments.out, as a run over it
/// alone would. `slides` says which: with several ranks, only rank 0 asks. What `arguments` says of slide, region and
/// resolution holds for slides that do not say it; its log gets every task if a record is asked for. Returns the exit
/// code (docs/robustness.md).
int run_study(SegmentArguments& arguments, const std::function<std::vector<io::StudySlide>()>& slides);

}  // namespace starpath::apps
