// One tile of a label TIFF: from runs of pixels to the bytes that lie in the file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_compressor;

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
  /// under no run are 0. The packed bytes depend on the version of libdeflate. Throws std::bad_alloc.
  void pack(std::span<const LabelRun> runs, std::int64_t left, std::vector<std::byte>& packed);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::uint32_t> pixels_;
  std::vector<std::byte> stream_;
};

}  // namespace starpath::io
