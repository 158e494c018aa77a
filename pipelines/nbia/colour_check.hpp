// NBIA looks at colours: a picture without any is refused rather than judged.
#pragma once
#include <string>

#include "io/slides/working_slide.hpp"

namespace starpath {

/// Looks at pixels spread over the slide. Throws Error{input} naming it when all of them are gray and some are not
/// glass. Pixels that cannot be read count as glass.
void check_has_colour(const std::string& name, const io::WorkingSlide& slide);

}  // namespace starpath
