// The work that a JPEG makes, by its markers.
#pragma once
#include <cstddef>
#include <span>

namespace starpath::io {

struct JpegMarkers {
  std::size_t scans = 0;    // how often the decoder goes over pixels: about ten times in a usual progressive file
  bool arithmetic = false;  // the pixels are coded in fractions of bits
};

/// Looks at markers only; bytes that are no JPEG have none. Time grows with the bytes. Pure.
JpegMarkers jpeg_markers(std::span<const unsigned char> bytes);

}  // namespace starpath::io
