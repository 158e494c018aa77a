// The pieces of a slide decoded last, so that neighbouring reads do not decode them again.
#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "codelets/kernels/image.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// A decoded tile or strip. Who makes one writes all of its pixels, which hold nothing before.
class Block {
 public:
  Block(int width, int height)
      : width_(width), height_(height), pixels_(std::make_unique_for_overwrite<Rgb[]>(size_of(width, height))) {}
  RgbView view() const { return {pixels_.get(), width_, height_, width_}; }
  View<Rgb> out() { return {pixels_.get(), width_, height_, width_}; }
  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t size() const { return size_of(width_, height_); }

 private:
  static std::size_t size_of(int width, int height) {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  int width_, height_;
  std::unique_ptr<Rgb[]> pixels_;
};

/// Keeps the least recently used blocks out: at most `budget` bytes of pixels, or the newest block alone. Thread-safe.
class BlockCache {
 public:
  explicit BlockCache(std::size_t budget = std::size_t{64} << 20) : budget_(budget) {}

  /// Null when the block is not here.
  std::shared_ptr<const Block> find(std::int64_t key);
  void put(std::int64_t key, std::shared_ptr<const Block> block);

 private:
  using Entry = std::pair<std::int64_t, std::shared_ptr<const Block>>;
  static std::size_t bytes(const Entry& entry) { return entry.second->size() * sizeof(Rgb); }

  const std::size_t budget_;
  std::mutex mutex_;
  std::size_t used_ = 0;
  std::list<Entry> newest_first_;
  std::unordered_map<std::int64_t, std::list<Entry>::iterator> place_;
};

/// Copies what `level` shows from (x, y) on into `out`, from the blocks that block(column, row) returns.
template <class BlockAt>
void read_blocks(const SlideLevel& level, std::int64_t x, std::int64_t y, View<Rgb> out, const BlockAt& block) {
  const PixelBox part = shown_part(level.width, level.height, x, y, out);
  if (part.empty()) return;
  const std::int64_t width = level.block_width, height = level.block_height;
  for (std::int64_t row = part.top / height; row * height < part.bottom; ++row)
    for (std::int64_t column = part.left / width; column * width < part.right; ++column)
      copy_overlap(block(column, row)->view(), column * width, row * height, out, x, y);
}

}  // namespace starpath::io
