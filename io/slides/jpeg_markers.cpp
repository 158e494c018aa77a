// Walks from marker to marker (ITU-T T.81, annex B).
#include "io/slides/jpeg_markers.hpp"

#include <algorithm>
#include <string_view>

namespace starpath::io {
namespace {

constexpr unsigned char kStartOfScan = 0xda, kFirstStandalone = 0xd0, kLastStandalone = 0xd9;
constexpr unsigned char kApplication0 = 0xe0, kComment = 0xfe;
constexpr unsigned char kFirstArithmetic = 0xc9, kLastArithmetic = 0xcf;  // frames; 0xcc is none of them

/// The index of the code of the next marker from `at` on; the size of `bytes` when there is none. Bytes of pixels that
/// look like a marker are followed by 0.
std::size_t next_code(std::span<const unsigned char> bytes, std::size_t at) {
  for (; at + 1 < bytes.size(); ++at)
    if (bytes[at] == 0xff && bytes[at + 1] != 0 && bytes[at + 1] != 0xff) return at + 1;
  return bytes.size();
}

/// `content`: of the segment, behind its length.
void read_density(std::string_view content, JpegMarkers& found) {
  if (!content.starts_with(std::string_view("JFIF\0", 5)) || content.size() < 12) return;
  const auto byte = [&](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(content[at])); };
  found.density_unit = byte(7);
  found.density_x = byte(8) * 256 + byte(9);
  found.density_y = byte(10) * 256 + byte(11);
}

}  // namespace

JpegMarkers jpeg_markers(std::span<const unsigned char> bytes) {
  JpegMarkers found;
  for (std::size_t at = next_code(bytes, 0); at < bytes.size();) {
    const unsigned char code = bytes[at];
    std::size_t end = at + 1;
    const bool has_segment = code > 0x01 && (code < kFirstStandalone || code > kLastStandalone);
    if (has_segment && at + 2 < bytes.size()) end += bytes[at + 1] * std::size_t{256} + bytes[at + 2];
    const std::size_t begin = std::min(at + 3, bytes.size());
    const std::string_view content(reinterpret_cast<const char*>(bytes.data()) + begin,
                                   std::max(std::min(end, bytes.size()), begin) - begin);
    if (code == kApplication0) read_density(content, found);
    if (code == kComment && found.comment.empty()) found.comment = content;
    found.scans += code == kStartOfScan;
    found.arithmetic = found.arithmetic || (code >= kFirstArithmetic && code <= kLastArithmetic && code != 0xcc);
    at = end < bytes.size() ? next_code(bytes, end) : bytes.size();
  }
  return found;
}

}  // namespace starpath::io
