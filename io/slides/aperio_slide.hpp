// Aperio's slides, whose tiles are decoded from the file.
#pragma once
#include <memory>

#include "io/slides/slide_backend.hpp"

namespace starpath::io {

/// The slide that `described` describes, with pixels decoded from the tiles of its TIFF in this process; `described`
/// itself where it is no slide of Aperio, or has levels that are not read so, as those compressed by JPEG 2000.
std::unique_ptr<Slide> with_tiles_of_aperio(std::unique_ptr<Slide> described, const InputProbe& probe);

}  // namespace starpath::io
