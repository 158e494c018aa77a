// Where a study's slides are noted.
#pragma once
#include <cstddef>
#include <string>

#include "pipelines/run/progress.hpp"
#include "pipelines/study/slide_outcome.hpp"

namespace starpath {

/// Slides by their places in the study. Thread-safe. May throw Error{output}: study.sqlite cannot be written.
class StudyNotes {
 public:
  virtual ~StudyNotes() = default;
  virtual void begun(std::size_t slide) = 0;
  /// Where a slide stands. `failure` is that of a tile.
  virtual void update(std::size_t slide, const Progress& progress, const std::string& failure) = 0;
  virtual void finished(std::size_t slide, const SlideOutcome& outcome) = 0;
};

}  // namespace starpath
