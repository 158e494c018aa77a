// The kind of a folder: one slide in several files, or slides.
#pragma once
#include <string>
#include <vector>

namespace starpath::io {

/// Whether each PNG, JPEG and TIFF image in the folder has a name that says where in one slide it lies
/// (tile_names.hpp). Whether it can be opened as a slide is another question. Never throws.
bool is_folder_of_tiles(const std::string& folder);

/// Why not, as in "the name of 'a.png' does not say where it lies"; empty when it is one. Never throws.
std::string why_no_tiles(const std::string& folder);

/// Whether the folder is one slide: of tiles, or of DICOM files (dicom_series.hpp). Never throws.
bool is_folder_of_one_slide(const std::string& folder);

struct FolderContents {
  std::vector<std::string> slides;  // by name
  std::string left_out;             // what else is there, and why it is left out; empty: nothing
};

/// The slides and images that lie in the folder: files with the ending of a format that open_slide reads, files with
/// other endings that open_slide reads, the largest file of each slide of DICOM, and folders of one slide. Hidden ones
/// are passed over, and so are folders within folders. Parts of slides (slide_parts.hpp) are neither slides nor left
/// out. Throws Error{input} when the folder cannot be listed.
FolderContents contents_of(const std::string& folder);

/// The slides of contents_of(folder).
std::vector<std::string> slides_in(const std::string& folder);

}  // namespace starpath::io
