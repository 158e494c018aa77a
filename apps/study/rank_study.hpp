// A study as one rank of several: rank 0 hands out slides and keeps the books, every rank computes.
#pragma once
#include <functional>
#include <vector>

#include "apps/segment/pipeline.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// `slides` is asked on rank 0, which tells the others. Returns the exit code.
int run_study_as_rank(SegmentArguments& arguments, const std::function<std::vector<io::StudySlide>()>& slides);

}  // namespace starpath::apps
