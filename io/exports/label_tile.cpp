// libtiff would pack in one thread for a file, and by zlib, which takes ten times as long.
#include "io/exports/label_tile.hpp"

#include <algorithm>
#include <bit>

namespace starpath::io {
namespace {

/// What TIFF's horizontal predictor makes of a row.
void take_differences(std::span<std::uint32_t> row) {
  for (std::size_t x = row.size() - 1; x > 0; --x) row[x] -= row[x - 1];
}

}  // namespace

LabelTilePacker::LabelTilePacker() : pixels_(kLabelTileSide * kLabelTileSide) {}

void LabelTilePacker::pack(std::span<const LabelRun> runs, std::int64_t left, std::vector<std::byte>& packed) {
  static_assert(std::endian::native == std::endian::little, "the file is little-endian");
  std::ranges::fill(pixels_, 0U);
  for (const LabelRun& run : runs) {
    const auto row = pixels_.begin() + run.y * kLabelTileSide;
    std::fill(row + std::max<std::int64_t>(run.x0 - left, 0), row + std::min(run.x1 - left, kLabelTileSide), run.label);
  }
  for (std::int64_t y = 0; y < kLabelTileSide; ++y)
    take_differences(std::span(pixels_).subspan(static_cast<std::size_t>(y * kLabelTileSide), kLabelTileSide));
  stream_.clear();
  packer_.begin();
  packer_.add(std::as_bytes(std::span(pixels_)), true, stream_);
  packed.assign(stream_.begin(), stream_.end());  // tiles may wait in memory: no more than they need
}

}  // namespace starpath::io
