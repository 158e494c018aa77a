// What begins a study.
#pragma once
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "runs/segmentation/pipeline.hpp"

namespace starpath {

/// JSON of what all slides share.
std::string parameters_of_all(const SegmentRequest& request);
/// Throws Error for a request that would be wrong for any slide. Nothing is written before.
void check_study(const SegmentRequest& request);
/// The slides with what the request says of all, for each that says nothing itself. Throws Error{usage} when a slide is
/// there twice, or --record is a file that the study reads or keeps; Error{output} when an export would replace a file
/// that is no such export.
std::vector<io::StudySlide> checked_slides(const SegmentRequest& request, std::vector<io::StudySlide> slides);

/// study.sqlite in --out, new or to go on with. The folder is locked. Throws Error{output} when there is one that the
/// user did not speak of.
io::StudyStore open_study(const SegmentRequest& request);

}  // namespace starpath
