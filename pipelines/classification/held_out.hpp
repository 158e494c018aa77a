// What cross-validation holds out together. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "pipelines/classification/classified_slides.hpp"

namespace starpath {

struct HeldOut {
  std::vector<std::size_t> units;  // of each slide the number of what is held out with it, from 0
  std::string by;                  // "patient" where any slide has one, else "slide"
};

/// Slides of one patient are one unit, and so are slides of one fingerprint: copies of a file, wherever their results
/// lie. A slide without a patient is a unit of its own. `lines` gets one for each copy.
HeldOut held_out_units(const std::vector<const ClassifiedSlide*>& slides, std::vector<std::string>& lines);

}  // namespace starpath
