// Reconstruction by blocks of one vector: a block whose neighbourhood changed is raised to what its neighbours and its
// mask allow, along the whole block at once, and marks the neighbours it may raise in turn. Sweeps down and up the
// image visit the marked blocks only, until none is left: the raster, anti-raster and queue phases of Vincent 1993 in
// one loop.
#include "codelets/kernels/reconstruct.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

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

template <class T>
Vector<T> around(const T* p) {
  return max_of(max_of(load(p - 1), load(p + 1)), load(p));
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
  void set_column(int y, int block) {
    for (int row = y - 1; row <= y + 1; ++row) set(row, block);
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
    if (now[0] != old[0]) marks_.set_column(y, block - 1);
    if (now[lanes<T> - 1] != old[lanes<T> - 1]) marks_.set_column(y, block + 1);
  }

  int width_, height_;
  Framed<T> mask_, out_;
  Marks marks_;
};

/// The bounded reconstruction. A step reads one of two images and writes the other, and visits the blocks next to what
/// the step before changed: in any other block both images agree. Steps follow each other down the image a row apart,
/// so that the rows in between stay in the cache.
class BoundedReconstruction {
 public:
  BoundedReconstruction(Scratch& scratch, GrayView marker, GrayView mask)
      : width_(mask.width),
        height_(mask.height),
        mask_(scratch, width_, height_),
        images_{{scratch, width_, height_}, {scratch, width_, height_}},
        marks_{{scratch, blocks(), height_}, {scratch, blocks(), height_}} {
    for (int y = 0; y < height_; ++y) {
      std::copy_n(mask.row(y), width_, mask_.row(y));
      std::transform(marker.row(y), marker.row(y) + width_, mask.row(y), images_[0].row(y),
                     [](std::uint8_t a, std::uint8_t b) { return std::min(a, b); });
      marks_[0].set_row(y);
    }
  }

  /// Once only.
  void run(int steps) {
    bool visited = true;
    for (int first = 0; first < steps && visited; first += steps_at_once) {
      const int count = std::min(steps_at_once, steps - first);
      visited = false;
      for (int wave = 0; wave < height_ + count - 1; ++wave)
        for (int i = std::max(0, wave - height_ + 1); i < std::min(count, wave + 1); ++i)
          visited |= visit_row((first + i) % 2, wave - i);
    }
    result_ = steps % 2;
  }

  const std::uint8_t* row(int y) const { return images_[result_].row(y); }

 private:
  static constexpr int steps_at_once = 64;

  int blocks() const { return (width_ + lanes<std::uint8_t> - 1) / lanes<std::uint8_t>; }

  /// Row y of a step that reads images_[from].
  bool visit_row(int from, int y) {
    bool visited = false;
    for (int k = 0; k < marks_[from].words(); ++k) {
      std::uint64_t bits = std::exchange(marks_[from].word(y, k), 0);
      visited |= bits != 0;
      for (; bits != 0; bits &= bits - 1) raise(from, y, k * word_bits + std::countr_zero(bits));
    }
    return visited;
  }

  void raise(int from, int y, int block) {
    const int x = block * lanes<std::uint8_t>;
    const Framed<std::uint8_t>& image = images_[from];
    const auto old = load(image.row(y) + x);
    const auto highest =
        max_of(max_of(around(image.row(y - 1) + x), around(image.row(y + 1) + x)), around(image.row(y) + x));
    const auto now = min_of(highest, load(mask_.row(y) + x));
    std::memcpy(images_[1 - from].row(y) + x, &now, sizeof now);
    if (!bytes_differ(now, old)) return;
    Marks& next = marks_[1 - from];
    next.set_column(y, block);
    if (now[0] != old[0]) next.set_column(y, block - 1);
    if (now[lanes<std::uint8_t> - 1] != old[lanes<std::uint8_t> - 1]) next.set_column(y, block + 1);
  }

  int width_, height_, result_ = 0;
  Framed<std::uint8_t> mask_, images_[2];
  Marks marks_[2];
};

}  // namespace

void reconstruct8_u16(const Context& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                      View<std::uint16_t> out) {
  const Scratch::Mark mark(context.scratch);
  Reconstruction<std::uint16_t> reconstruction(context.scratch, marker, mask);
  reconstruction.run();
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

void reconstruct8_bounded(const Context& context, GrayView marker, GrayView mask, int steps, View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, marker, mask);
  reconstruction.run(steps);
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

void recon_to_nuclei(const Context& context, GrayView inverted, GrayView opened, View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, opened, inverted);
  reconstruction.run(reconstruction_reach);
  for (int y = 0; y < inverted.height; ++y)
    std::transform(inverted.row(y), inverted.row(y) + inverted.width, reconstruction.row(y), difference.row(y),
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a - b); });
}

}  // namespace starpath::cpu
