// The work that a JPEG makes and what it says, by its markers.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace starpath::io {

struct JpegMarkers {
  std::size_t scans = 0;    // how often the decoder goes over pixels: about ten times in a usual progressive file
  bool arithmetic = false;  // the pixels are coded in fractions of bits
  int density_unit = 0;     // JFIF: 1 inch, 2 centimetre, else none
  int density_x = 0, density_y = 0;  // pixels a unit; 0: not said
  std::string comment{};
};

/// Looks at markers only; bytes that are no JPEG have none. Time grows with the bytes. Pure.
JpegMarkers jpeg_markers(std::span<const unsigned char> bytes);

}  // namespace starpath::io
