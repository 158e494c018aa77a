// The nuclei of one region in memory, as a run over it finds them: for looking and for measuring, not for slides.
#pragma once
#include <atomic>
#include <vector>

#include "io/results/nucleus_record.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/options.hpp"

namespace starpath {

/// Runs segment_slide and accept_nuclei over options.tiling.roi (all of the grid where it is empty) with a results file
/// in a temporary folder. Returns the accepted nuclei in the order (first_y, first_x): those whose centroid lies in the
/// region, the same as of a run over the whole slide but for objects at borders of tiles. StarPU must be running. Once
/// `stop` is true, what was found so far. Throws as segment_slide, and Error{input} with its reason when a tile failed.
std::vector<io::NucleusRecord> nuclei_of_region(const io::Slide& slide, const io::WorkingSlide& grid,
                                                const SegmentationOptions& options, const std::atomic<bool>& stop);

}  // namespace starpath
