// Images in blocks as wide as a vector, and marks for the blocks that a propagation has to visit.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "codelets/cpu/bits.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

// Byte shuffles across 64 bytes are one instruction with VBMI; elsewhere a shuffle handles 16 bytes.
#if defined(__AVX512VBMI__)
constexpr int kVectorBytes = 64;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kVectorBytes)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;
template <class T>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T>
Vector<T> load(const T* p) {
  Vector<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class V>
V max_of(V a, V b) {
  return a > b ? a : b;
}
template <class V>
V min_of(V a, V b) {
  return a < b ? a : b;
}

/// Image rows of whole vectors with a frame of zeros, which neither raise nor can be raised.
template <class T>
class Framed {
 public:
  Framed(Scratch& scratch, int width, int height)
      : stride_(words_for(width) * std::ptrdiff_t{kWordBits} + 2 * kFrame),
        pixels_(scratch.take<T>(static_cast<std::size_t>(stride_ * (height + 2)))) {
    std::fill_n(row(-1) - kFrame, stride_, T{0});
    std::fill_n(row(height) - kFrame, stride_, T{0});
    for (int y = 0; y < height; ++y) {
      std::fill_n(row(y) - kFrame, kFrame, T{0});
      std::fill(row(y) + width, row(y) - kFrame + stride_, T{0});
    }
  }
  T* row(int y) const { return pixels_.data() + (y + 1) * stride_ + kFrame; }
  std::ptrdiff_t stride() const { return stride_; }

 private:
  static constexpr std::ptrdiff_t kFrame = 64;
  std::ptrdiff_t stride_;
  std::span<T> pixels_;
};

/// Masks over 64 blocks in a row, a bit each: blocks that changed, and blocks that changed at their first or last line
/// or column.
struct ChangedBlocks {
  std::uint64_t any = 0, top = 0, bottom = 0, left = 0, right = 0;
};

/// The blocks still to visit: a bit each, in rows that have a row of padding above and below.
class Marks {
 public:
  Marks(Scratch& scratch, int blocks, int height)
      : blocks_(blocks),
        words_(words_for(blocks)),
        bits_(scratch.take<std::uint64_t>(static_cast<std::size_t>(words_ * (height + 2)))) {
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
  }
  std::uint64_t& word(int y, int k) { return bits_[static_cast<std::size_t>((y + 1) * words_ + k)]; }
  int words() const { return words_; }
  void set(int y, int block) {
    if (block >= 0 && block < blocks_) word(y, block / kWordBits) |= std::uint64_t{1} << block % kWordBits;
  }
  void set_column(int y, int block) {
    for (int row = y - 1; row <= y + 1; ++row) set(row, block);
  }
  /// After a step: marks the blocks k * 64 + (0..63) of row y that changed. Where a block's first or last line changed,
  /// marks the block above or below too, and where its first or last column did, the blocks beside all these.
  void spread(int y, int k, const ChangedBlocks& changed) {
    const int beyond = (k + 1) * kWordBits - blocks_;
    const std::uint64_t blocks = ~std::uint64_t{0} >> std::max(0, beyond);
    const auto mark_row = [&](int row, std::uint64_t bits) {
      const std::uint64_t left = changed.left & bits, right = changed.right & bits;
      word(row, k) |= (bits | left >> 1 | right << 1) & blocks;
      if (k > 0) word(row, k - 1) |= left << (kWordBits - 1);
      if (k + 1 < words_) word(row, k + 1) |= right >> (kWordBits - 1);
    };
    mark_row(y - 1, changed.top);
    mark_row(y, changed.any);
    mark_row(y + 1, changed.bottom);
  }
  void set_row(int y) {
    for (int block = 0; block < blocks_; ++block) set(y, block);
  }

 private:
  int blocks_, words_;
  std::span<std::uint64_t> bits_;
};

}  // namespace starpath::cpu
