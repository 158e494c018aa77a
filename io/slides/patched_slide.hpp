// A slide that keeps on where pieces of it are damaged.
#pragma once
#include <memory>

#include "io/slides/slide.hpp"

namespace starpath::io {

/// The same slide, whose reduced levels show a finer level where they cannot be read. An error of read() names the
/// first stored piece that cannot be read. What could not be read is among the slide's warnings: each level with its
/// first place, and the gaps that read_around_gaps() has left.
std::unique_ptr<Slide> make_patched_slide(std::unique_ptr<Slide> slide);

}  // namespace starpath::io
