// A slide's resolution from the size of its nuclei, where the file says nothing.
#pragma once
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"

namespace starpath {

/// What a few fields say. Each votes for one of the usual resolutions (0.125, 0.25, 0.5 and 1 um/px).
struct NuclearSizeEstimate {
  double mpp = 0;                // of most votes; 0 without any
  int voting = 0, agreeing = 0;  // fields

  /// At least three of four fields agree, and three have voted.
  bool certain() const { return voting >= 3 && 4 * agreeing >= 3 * voting; }
};

/// Reads a fixed choice of fields with much tissue at level 0; those that cannot be read do not count. The same slide
/// gives the same answer. A second or two on one core; the host's memory only.
NuclearSizeEstimate estimate_resolution(const io::Slide& slide);

/// `said` if it is > 0, else what the file says or lets conclude, else what estimate_resolution() tells, else
/// io::kDesignMpp.
io::Resolution resolution_of(const io::Slide& slide, double said);

}  // namespace starpath
