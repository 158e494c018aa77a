// What a library's error means for the owner of a slide. Pure.
#pragma once
#include <string>
#include <string_view>

namespace starpath::io {

/// The name of a TIFF's compression, as "JPEG 2000"; "number 1234" where it has none known.
std::string compression_name(unsigned compression);

/// What a library says, with the names of what it only numbers.
std::string explained(std::string message);

/// What to do about what a library says of a file or of a part of it: another copy only helps where bytes may be
/// damaged, and not where a kind is not read, a file beside the slide is missing, or the system refuses.
std::string_view advice_on(std::string_view message);

}  // namespace starpath::io
