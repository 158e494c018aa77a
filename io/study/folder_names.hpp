// The folders of a study's slides.
#pragma once
#include <string>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::io {

/// Gives each slide a folder of its own: its file's name without the ending, behind "slide_" if the study has a file of
/// that name itself. Where slides share a name, that of their folder goes before it, and a number behind it if that is
/// not enough. Names that differ only in upper and lower case count as equal: a file system may not tell them apart. A
/// slide of `known` keeps its folder: the one with the same path, else the one whose folder has the slide's name and
/// whose path is not among `slides`. Pure.
void name_folders(std::vector<StudySlide>& slides, const std::vector<StudySlide>& known);

}  // namespace starpath::io
