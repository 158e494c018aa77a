// Walks from marker to marker (ITU-T T.81, annex B).
#include "io/slides/jpeg_markers.hpp"

namespace starpath::io {
namespace {

constexpr unsigned char kStartOfScan = 0xda, kFirstStandalone = 0xd0, kLastStandalone = 0xd9;
constexpr unsigned char kFirstArithmetic = 0xc9, kLastArithmetic = 0xcf;  // frames; 0xcc is none of them

/// The index of the code of the next marker from `at` on; the size of `bytes` when there is none. Bytes of pixels that
/// look like a marker are followed by 0.
std::size_t next_code(std::span<const unsigned char> bytes, std::size_t at) {
  for (; at + 1 < bytes.size(); ++at)
    if (bytes[at] == 0xff && bytes[at + 1] != 0 && bytes[at + 1] != 0xff) return at + 1;
  return bytes.size();
}

}  // namespace

JpegMarkers jpeg_markers(std::span<const unsigned char> bytes) {
  JpegMarkers found;
  for (std::size_t at = next_code(bytes, 0); at < bytes.size();) {
    const unsigned char code = bytes[at];
    std::size_t end = at + 1;
    const bool has_segment = code > 0x01 && (code < kFirstStandalone || code > kLastStandalone);
    if (has_segment && at + 2 < bytes.size()) end += bytes[at + 1] * std::size_t{256} + bytes[at + 2];
    found.scans += code == kStartOfScan;
    found.arithmetic = found.arithmetic || (code >= kFirstArithmetic && code <= kLastArithmetic && code != 0xcc);
    at = end < bytes.size() ? next_code(bytes, end) : bytes.size();
  }
  return found;
}

}  // namespace starpath::io
