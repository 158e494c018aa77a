// The pixels of a slide that lie in pages of one TIFF file.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/slides/block_cache.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/tiff_file.hpp"

namespace starpath::io {

/// Thread-safe: each thread that decodes has a libtiff handle of its own, and all share the blocks decoded last.
class TiffPyramid {
 public:
  /// `levels` are pages of the file, one for each level of the slide. `ground` is the gray of places without pixels.
  TiffPyramid(std::string path, std::vector<TiffLevel> levels, std::uint8_t ground);

  /// As Slide::read. `slide` has these levels, and finds its pixels here.
  void read(const Slide& slide, int level, std::int64_t x, std::int64_t y, View<Rgb> out) const;

  /// A warning where more than half of the pixels decoded so far are transparent; else empty.
  std::string transparency_warning() const { return clear_warning(clear_, decoded_); }

 private:
  std::shared_ptr<const Block> block(const Slide& slide, int level, std::uint32_t column, std::uint32_t row,
                                     bool keep) const;
  std::shared_ptr<const Block> decode(const Slide& slide, int level, std::uint32_t column, std::uint32_t row) const;

  std::string path_;
  std::uint8_t ground_;
  std::vector<TiffLevel> levels_;
  mutable std::atomic<std::int64_t> decoded_ = 0, clear_ = 0;  // pixels, and those of them that are transparent
  mutable BlockCache cache_;
  mutable std::mutex large_mutex_;  // of strips and of large tiles, one at a time is in decoding
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<TiffFile>> idle_;  // libtiff's handles serve one thread at a time
};

}  // namespace starpath::io
