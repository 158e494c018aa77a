// The kind of image by the ending of a file's name, in capitals or not.
#pragma once
#include <filesystem>

namespace starpath::io {

/// Whether the name is that of a PNG, TIFF or JPEG image.
bool is_image_name(const std::filesystem::path& file);

/// Whether the name is that of an image, or of a format of OpenSlide's in which one file stands for a slide (a DICOM
/// slide is several .dcm).
bool is_slide_name(const std::filesystem::path& file);

}  // namespace starpath::io
