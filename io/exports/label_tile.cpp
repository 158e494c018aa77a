// libtiff would pack in one thread for a file.
#include "io/exports/label_tile.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <new>

namespace starpath::io {
namespace {

constexpr int kLevel = 6;  // level 1 takes twice as long for tiles of labels, and packs them less

/// What TIFF's horizontal predictor makes of a row.
void take_differences(std::span<std::uint32_t> row) {
  for (std::size_t x = row.size() - 1; x > 0; --x) row[x] -= row[x - 1];
}

}  // namespace

void LabelTilePacker::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

LabelTilePacker::LabelTilePacker()
    : compressor_(libdeflate_alloc_compressor(kLevel)), pixels_(kLabelTileSide * kLabelTileSide) {
  if (!compressor_) throw std::bad_alloc();
  stream_.resize(libdeflate_zlib_compress_bound(compressor_.get(), pixels_.size() * sizeof pixels_[0]));
}

void LabelTilePacker::pack(std::span<const LabelRun> runs, std::int64_t left, std::vector<std::byte>& packed) {
  static_assert(std::endian::native == std::endian::little, "the file is little-endian");
  std::ranges::fill(pixels_, 0U);
  for (const LabelRun& run : runs) {
    const auto row = pixels_.begin() + run.y * kLabelTileSide;
    std::fill(row + std::max<std::int64_t>(run.x0 - left, 0), row + std::min(run.x1 - left, kLabelTileSide), run.label);
  }
  for (std::int64_t y = 0; y < kLabelTileSide; ++y)
    take_differences(std::span(pixels_).subspan(static_cast<std::size_t>(y * kLabelTileSide), kLabelTileSide));
  const auto bytes = std::as_bytes(std::span(pixels_));
  const std::size_t size =
      libdeflate_zlib_compress(compressor_.get(), bytes.data(), bytes.size(), stream_.data(), stream_.size());
  packed.assign(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(
                                                       size));  // tiles may wait in memory: no more than they need
}

}  // namespace starpath::io
