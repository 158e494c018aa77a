// Which page of a TIFF is the slide, and which are its levels.
#pragma once
#include <string>
#include <vector>

#include "io/slides/tiff_file.hpp"

namespace starpath::io {

struct TiffPages {
  std::vector<TiffLevel> levels;  // the slide, then the same picture in halves of halves
  int images = 1;                 // pages of the slide's kind and size that say nothing else of themselves, it included
  std::string description;        // of the slide, or of the first page where that says OME-XML or the slide nothing
  std::vector<std::string> others;  // pictures that are neither, as "page 1 (800x300)"
};

/// The largest picture is the slide. A page that is called or flagged a label, macro, thumbnail or mask is neither
/// slide nor level; a file of nothing else is its largest page. A level has the slide's kind of pixels, and its sides
/// are the slide's divided by a power of two, within two pixels. Of sub-directories, those count that belong to the
/// slide's page. Leaves `file` at the slide. Throws Error{input} when the slide is of a kind that is not read, or when
/// a page that says it is a reduced image is larger than all others.
TiffPages find_pages(const std::string& path, TiffFile& file);

/// Whether a page's text calls it a picture beside the slide: a line that begins with "label", "macro", "thumbnail" or
/// the like (Aperio, Philips, Bio-Formats), or XML whose ImageType is one (PerkinElmer). Pure.
bool is_called_beside(const std::string& text);

/// Whether the sides are those of the larger picture divided by `factor`, within a pixel or two. Pure.
bool is_reduced(std::int64_t width, std::int64_t height, std::int64_t of_width, std::int64_t of_height,
                std::int64_t factor);

}  // namespace starpath::io
