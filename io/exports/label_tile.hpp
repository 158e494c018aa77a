// One tile of a label TIFF: from runs of pixels to the bytes that lie in the file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/exports/zlib_packer.hpp"

namespace starpath::io {

inline constexpr std::int64_t kLabelTileSide = 512;

/// A run of pixels of a level; y counts within the row of tiles.
struct LabelRun {
  std::int32_t y, x0, x1;
  std::uint32_t label;
};

/// Packs tiles. For one thread at a time.
class LabelTilePacker {
 public:
  LabelTilePacker();
  /// Packs the tile that begins at column `left` of its level as the file holds it: 32-bit labels, in each row the
  /// differences between neighbours, compressed with deflate. A run may begin before the tile and end behind it. Pixels
  /// under no run are 0.
  void pack(std::span<const LabelRun> runs, std::int64_t left, std::vector<std::byte>& packed);

 private:
  ZlibPacker packer_;
  std::vector<std::uint32_t> pixels_;
  std::vector<std::byte> stream_;
};

}  // namespace starpath::io
