// Reconstruction by blocks of one vector: a block whose neighbourhood changed is raised to what its neighbours and its
// mask allow, along the whole block at once, and marks the neighbours it may raise in turn. Sweeps down and up the
// image visit the marked blocks only, until none is left: the raster, anti-raster and queue phases of Vincent 1993 in
// one loop.
#include "codelets/kernels/reconstruct.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codelets/cpu/bits.hpp"

namespace starpath::cpu {
namespace {

// Byte shuffles across 64 bytes are one instruction with VBMI; elsewhere 16 bytes are what a shuffle handles.
#if defined(__AVX512VBMI__)
constexpr int vector_bytes = 64;
#else
constexpr int vector_bytes = 16;
#endif

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(vector_bytes)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;
template <class T>
constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));

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

/// Element i of the result is element i - 1 of v (to_right) or i + 1; 0 comes in at the end.
template <class T, bool to_right>
Vector<T> shifted(Vector<T> v) {
  Vector<T> index;
  for (int i = 0; i < lanes<T>; ++i) {
    const int from = to_right ? i - 1 : i + 1;
    index[i] = static_cast<T>(from >= 0 && from < lanes<T> ? from : lanes<T>);
  }
  return __builtin_shuffle(v, Vector<T>{}, index);
}

/// Image rows of whole vectors with a frame of zeros, which neither raise nor can be raised.
template <class T>
class Framed {
 public:
  Framed(Scratch& scratch, int width, int height)
      : stride_(words_for(width) * std::ptrdiff_t{word_bits} + 2 * frame),
        pixels_(scratch.take<T>(static_cast<std::size_t>(stride_ * (height + 2)))) {
    std::fill_n(row(-1) - frame, stride_, T{0});
    std::fill_n(row(height) - frame, stride_, T{0});
    for (int y = 0; y < height; ++y) {
      std::fill_n(row(y) - frame, frame, T{0});
      std::fill(row(y) + width, row(y) - frame + stride_, T{0});
    }
  }
  T* row(int y) const { return pixels_.data() + (y + 1) * stride_ + frame; }

 private:
  static constexpr std::ptrdiff_t frame = 64;
  std::ptrdiff_t stride_;
  std::span<T> pixels_;
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
    if (block >= 0 && block < blocks_) word(y, block / word_bits) |= std::uint64_t{1} << block % word_bits;
  }
  void set_row(int y) {
    for (int block = 0; block < blocks_; ++block) set(y, block);
  }

 private:
  int blocks_, words_;
  std::span<std::uint64_t> bits_;
};

template <class T>
class Reconstruction {
 public:
  Reconstruction(Scratch& scratch, View<const T> marker, View<const T> mask)
      : width_(mask.width),
        height_(mask.height),
        mask_(scratch, width_, height_),
        out_(scratch, width_, height_),
        marks_(scratch, (width_ + lanes<T> - 1) / lanes<T>, height_) {
    for (int y = 0; y < height_; ++y) {
      std::copy_n(mask.row(y), width_, mask_.row(y));
      std::transform(marker.row(y), marker.row(y) + width_, mask.row(y), out_.row(y),
                     [](T a, T b) { return std::min(a, b); });
      marks_.set_row(y);
    }
  }

  void run() {
    bool visited = true;
    while (visited) {
      visited = false;
      for (int y = 0; y < height_; ++y) visited |= visit_row(y);
      for (int y = height_ - 1; y >= 0; --y) visited |= visit_row(y);
    }
  }

  const T* row(int y) const { return out_.row(y); }

 private:
  bool visit_row(int y) {
    bool visited = false;
    for (int k = 0; k < marks_.words(); ++k)
      while (const std::uint64_t bits = marks_.word(y, k)) {
        marks_.word(y, k) = bits & (bits - 1);
        raise(y, k * word_bits + std::countr_zero(bits));
        visited = true;
      }
    return visited;
  }

  static Vector<T> around(const T* p) { return max_of(max_of(load(p - 1), load(p + 1)), load(p)); }

  void raise(int y, int block) {
    const int x = block * lanes<T>;
    T* p = out_.row(y) + x;
    const Vector<T> old = load(p), mask = load(mask_.row(y) + x);
    Vector<T> now = min_of(max_of(max_of(around(out_.row(y - 1) + x), around(out_.row(y + 1) + x)), around(p)), mask);
    if (!bytes_differ(now, old)) return;
    for (Vector<T> before = now;; before = now) {
      now = min_of(max_of(max_of(shifted<T, true>(now), shifted<T, false>(now)), now), mask);
      if (!bytes_differ(now, before)) break;
    }
    std::memcpy(p, &now, sizeof now);
    marks_.set(y - 1, block);
    marks_.set(y + 1, block);
    if (now[0] != old[0]) mark_column(y, block - 1);
    if (now[lanes<T> - 1] != old[lanes<T> - 1]) mark_column(y, block + 1);
  }

  void mark_column(int y, int block) {
    for (int row = y - 1; row <= y + 1; ++row) marks_.set(row, block);
  }

  int width_, height_;
  Framed<T> mask_, out_;
  Marks marks_;
};

template <class T>
void reconstruct(const Context& context, View<const T> marker, View<const T> mask, View<T> out) {
  const Scratch::Mark mark(context.scratch);
  Reconstruction<T> reconstruction(context.scratch, marker, mask);
  reconstruction.run();
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

}  // namespace

void reconstruct8(const Context& context, GrayView marker, GrayView mask, View<std::uint8_t> out) {
  reconstruct<std::uint8_t>(context, marker, mask, out);
}

void reconstruct8_u16(const Context& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                      View<std::uint16_t> out) {
  reconstruct<std::uint16_t>(context, marker, mask, out);
}

void recon_to_nuclei(const Context& context, GrayView inverted, GrayView opened, View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  Reconstruction<std::uint8_t> reconstruction(context.scratch, opened, inverted);
  reconstruction.run();
  for (int y = 0; y < inverted.height; ++y)
    std::transform(inverted.row(y), inverted.row(y) + inverted.width, reconstruction.row(y), difference.row(y),
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a - b); });
}

}  // namespace starpath::cpu
