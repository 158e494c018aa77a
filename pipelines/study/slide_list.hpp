// Which slides a study has: from a list, or from paths and folders on the command line.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "io/slides/slides_asked.hpp"
#include "io/study/study_store.hpp"

namespace starpath {

using OnLine = std::function<void(const std::string&)>;

/// Paths as they are given, and for a folder that is no folder of tiles the slides in it, without pictures that a run
/// wrote beside its results there. Folders are not chosen yet. `on_folder` gets a line for each such folder: how it was
/// understood, and, as a warning, what in it is left out. Throws Error{input} for a folder without slides.
std::vector<io::StudySlide> slides_of(const std::vector<std::string>& inputs, const OnLine& on_folder);

/// The slides of a CSV file (RFC 4180), with commas, semicolons or tabs between cells, in UTF-8 or UTF-16. Its first
/// line, but for one that names what is between cells ("sep=;"), names the columns: `path`, which must be there, and
/// `patient`, `group`, `mpp`, `roi`, `exclude`; all others are kept as labels. Empty cells behind the last column do
/// not count. Paths that are not absolute, those of regions too, start at the file's folder; a path names a file of
/// either Unicode form (named_file.hpp). `on_left_out` gets a sentence for each line without a path. Throws
/// Error{input} naming file, line and what is wrong.
std::vector<io::StudySlide> read_slide_list(const std::string& file, const OnLine& on_left_out);

/// The slides that are asked for: from the list, if one is named. `on_note` gets what users should know, a line each.
/// Throws as slides_of() and read_slide_list().
std::vector<io::StudySlide> asked_slides(const io::SlidesAsked& asked, const OnLine& on_note);

/// Throws Error{input} for a file whose name is not UTF-8: study.sqlite and messages between ranks keep names as text.
void check_names(const std::vector<io::StudySlide>& slides);
/// Throws Error{usage} when a slide is there twice.
void check_given_once(const std::vector<io::StudySlide>& slides);

}  // namespace starpath
