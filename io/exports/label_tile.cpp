// libtiff would pack the same bytes, but in one thread for a file.
#include "io/exports/label_tile.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <new>

namespace starpath::io {
namespace {

constexpr int kLibtiffLevel = 6;

/// What TIFF's horizontal predictor makes of a row.
void take_differences(std::span<std::uint32_t> row) {
  for (std::size_t x = row.size() - 1; x > 0; --x) row[x] -= row[x - 1];
}

}  // namespace

void LabelTilePacker::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

LabelTilePacker::LabelTilePacker()
    : compressor_(libdeflate_alloc_compressor(kLibtiffLevel)), pixels_(kLabelTileSide * kLabelTileSide) {
  if (compressor_ == nullptr) throw std::bad_alloc();
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
  const std::size_t size = pixels_.size() * sizeof pixels_[0];
  packed.resize(libdeflate_zlib_compress_bound(compressor_.get(), size));
  packed.resize(libdeflate_zlib_compress(compressor_.get(), pixels_.data(), size, packed.data(), packed.size()));
}

}  // namespace starpath::io
