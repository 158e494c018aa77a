// Pictures for pages: as the bytes of files, and as text in an address.
#pragma once
#include <string>
#include <string_view>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

/// The bytes of a JPEG file, colours at full resolution; `quality` 1..100. Throws Error{runtime} when libjpeg fails.
std::string jpeg_bytes(RgbView picture, int quality);

/// "data:TYPE;base64,...": a file in an address, as RFC 2397 and RFC 4648 have it.
std::string data_uri(std::string_view type, std::string_view bytes);

}  // namespace starpath::io
