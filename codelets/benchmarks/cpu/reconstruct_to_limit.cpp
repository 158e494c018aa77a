// Reconstruction by blocks of one vector. A block whose neighbourhood changed is raised as far as its neighbours and
// its mask allow, along the whole block at once. It then marks the neighbours that it may raise. Sweeps down and up the
// image visit the marked blocks only, until none is left: the raster, anti-raster and queue phases of Vincent 1993 in
// one loop.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "codelets/cpu/blocks.hpp"
#include "codelets/cpu/components.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cpu {
namespace {

template <class T>
Vector<T> around(const T* p) {
  return max_of(max_of(load(p - 1), load(p + 1)), load(p));
}

template <bool to_right, class T, int... lane>
Vector<T> shifted_lanes(Vector<T> v, std::integer_sequence<int, lane...>) {
  constexpr int zero = kLanes<T>;
  return __builtin_shufflevector(v, Vector<T>{}, (to_right ? (lane == 0 ? zero : lane - 1) : lane + 1)...);
}

/// Element i of the result is element i - 1 of v (to_right) or i + 1; 0 comes in at the end.
template <class T, bool to_right>
Vector<T> shifted(Vector<T> v) {
  return shifted_lanes<to_right, T>(v, std::make_integer_sequence<int, kLanes<T>>{});
}

template <class T, Connectivity connectivity>
class Reconstruction {
 public:
  Reconstruction(Scratch& scratch, View<const T> marker, View<const T> mask)
      : width_(mask.width),
        height_(mask.height),
        mask_(scratch, width_, height_),
        out_(scratch, width_, height_),
        marks_(scratch, (width_ + kLanes<T> - 1) / kLanes<T>, height_) {
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
        raise(y, k * kWordBits + std::countr_zero(bits));
        visited = true;
      }
    return visited;
  }

  void raise(int y, int block) {
    const int x = block * kLanes<T>;
    T* p = out_.row(y) + x;
    const Vector<T> old = load(p), mask = load(mask_.row(y) + x);
    const T *const above = out_.row(y - 1) + x, *const below = out_.row(y + 1) + x;
    const Vector<T> beside = kDiagonal ? max_of(around(above), around(below)) : max_of(load(above), load(below));
    Vector<T> now = min_of(max_of(beside, around(p)), mask);
    if (differing_bytes(now, old) == 0) return;
    for (Vector<T> before = now;; before = now) {
      now = min_of(max_of(max_of(shifted<T, true>(now), shifted<T, false>(now)), now), mask);
      if (differing_bytes(now, before) == 0) break;
    }
    std::memcpy(p, &now, sizeof now);
    marks_.set(y - 1, block);
    marks_.set(y + 1, block);
    if (now[0] != old[0]) mark_side(y, block - 1);
    if (now[kLanes<T> - 1] != old[kLanes<T> - 1]) mark_side(y, block + 1);
  }

  void mark_side(int y, int block) {
    if constexpr (kDiagonal)
      marks_.set_column(y, block);
    else
      marks_.set(y, block);
  }

  static constexpr bool kDiagonal = connectivity == Connectivity::eight;
  int width_, height_;
  Framed<T> mask_, out_;
  Marks marks_;
};

template <Connectivity connectivity, class T>
void reconstruct_connected(Scratch& scratch, View<const T> marker, View<const T> mask, View<T> out) {
  const Scratch::Mark mark(scratch);
  Reconstruction<T, connectivity> reconstruction(scratch, marker, mask);
  reconstruction.run();
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

template <class T>
void reconstruct(Scratch& scratch, View<const T> marker, View<const T> mask, Connectivity connectivity, View<T> out) {
  if (connectivity == Connectivity::eight)
    reconstruct_connected<Connectivity::eight>(scratch, marker, mask, out);
  else
    reconstruct_connected<Connectivity::four>(scratch, marker, mask, out);
}

}  // namespace

void reconstruct_u8(const KernelContext& context, GrayView marker, GrayView mask, Connectivity connectivity,
                    View<std::uint8_t> out) {
  reconstruct(context.scratch, marker, mask, connectivity, out);
}

void reconstruct_u16(const KernelContext& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                     Connectivity connectivity, View<std::uint16_t> out) {
  reconstruct(context.scratch, marker, mask, connectivity, out);
}

void reconstruct_binary(const KernelContext& context, MaskView marker, MaskView mask, Connectivity connectivity,
                        View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  keep_marked(context.scratch, find_components(context.scratch, mask, connectivity), marker, out);
}

}  // namespace starpath::cpu
