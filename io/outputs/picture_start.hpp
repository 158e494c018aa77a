// How pictures say which program wrote them.
#pragma once
#include <filesystem>
#include <string>

namespace starpath::io {

/// Whether a PNG has the text `title` under the keyword "Title" in front of its pixels.
bool is_picture_titled(const std::filesystem::path& file, const std::string& title);

/// Whether a PNG is written as Starpath 0.1.0 and 0.2.0 wrote pictures, which had no titles: 8-bit RGB with nothing but
/// the pixels, and these filtered and packed by settings that other programs do not choose together. 0.2.0 filtered the
/// first row as Paeth and packed for speed; 0.1.0 filtered it as Sub or Up and packed by zlib's level 3.
bool is_untitled_picture(const std::filesystem::path& file);

/// Whether a TIFF names `program` as the software that wrote its first picture.
bool is_tiff_of(const std::filesystem::path& file, const std::string& program);

}  // namespace starpath::io
