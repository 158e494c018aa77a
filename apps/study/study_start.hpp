// What begins and ends a study.
#pragma once
#include <string>
#include <vector>

#include "apps/run/run_outcome.hpp"
#include "apps/segment/pipeline.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// JSON of what all slides share.
std::string parameters_of_all(const SegmentArguments& arguments);
/// JSON of the resolution and the regions that are said of all slides, of which a list may say otherwise. Throws
/// Error{input} for a file with regions that cannot be read.
std::string said_of_all(const SegmentArguments& arguments);

/// What can be known to be wrong before anything is written.
void check_study(SegmentArguments& arguments);
/// Throws Error{usage} when a slide is there twice, or --record is a file that the study reads or keeps. What is said
/// of all slides is said of each that says nothing itself.
void check_slides(const SegmentArguments& arguments, std::vector<io::StudySlide>& slides);

/// study.sqlite in --out, new or to go on with. The folder is locked. Throws Error{output} when there is one that the
/// user did not speak of.
io::StudyStore open_study(const SegmentArguments& arguments);

/// Gives each slide a folder (folder_names.hpp). Returns them.
std::vector<std::string> choose_folders(const io::StudyStore& store, std::vector<io::StudySlide>& slides);

/// Tells what the study came to. Returns the exit code.
int tell_study(const RunArguments& arguments, const Outcome& outcome, AtomicFile* record);

}  // namespace starpath::apps
