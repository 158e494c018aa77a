// What the ranks of a study tell rank 0 of their slides, and rank 0 them, as JSON. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/study/slide_outcome.hpp"

namespace starpath {

/// What a rank needs to know of slides to work on them, by their places.
std::string slides_text(const std::vector<io::StudySlide>& slides);
std::vector<io::StudySlide> slides_from(const std::string& text);

/// Notes for somebody else: note_from() reads them.
std::string begun_text(std::size_t slide);
/// Without who ran what.
std::string update_text(std::size_t slide, const Progress& progress, const std::string& failure);
/// Without the log.
std::string finished_text(std::size_t slide, const SlideOutcome& outcome);

/// What a note is of, and the SlideOutcome of one that is finished.
struct SlideNote {
  std::size_t slide = 0;
  enum class Kind { begun, update, finished } kind = Kind::begun;
  Progress progress = {};     // of an update
  std::string failure = {};   // of an update
  SlideOutcome outcome = {};  // of a slide that is finished
};
/// Throws nlohmann::json::exception for what is no note.
SlideNote note_from(const std::string& text);

}  // namespace starpath
