// What came of a slide of a study.
#pragma once
#include <filesystem>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/run/task_log.hpp"

namespace starpath {

struct SlideOutcome {
  io::SlideSummary summary;
  TaskLog log;                                        ///< empty unless asked for
  std::vector<std::filesystem::path> failed_exports;  ///< not written: the slide could not be read for them
  bool refused = false;                               ///< failed because what is there is of something else
};

}  // namespace starpath
