// The kind of a folder: one slide in tiles, or slides.
#pragma once
#include <string>
#include <vector>

namespace starpath::io {

/// Whether each PNG, JPEG and TIFF image in the folder has a name that says where in one slide it lies
/// (tile_names.hpp). Whether it can be opened as a slide is another question. Never throws.
bool is_folder_of_tiles(const std::string& folder);

/// The slides and images that lie in the folder, by name: files with the ending of a format that open_slide reads, and
/// folders of tiles. Hidden ones are passed over, and so are folders within folders. Throws Error{input} when the
/// folder cannot be listed.
std::vector<std::string> slides_in(const std::string& folder);

}  // namespace starpath::io
