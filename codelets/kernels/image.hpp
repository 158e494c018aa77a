// A view of an image, the argument of every kernel. Owns nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codelets/kernels/host_device.hpp"

namespace starpath {

/// One pixel of a colour image, 8 bits a channel, as slides are stored.
struct Rgb {
  std::uint8_t r, g, b;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};
static_assert(sizeof(Rgb) == 3);

/// A rectangle of pixels in somebody else's memory. `stride` is the distance between rows in elements (>= width).
/// Invariant: pixel (x, y) with 0 <= x < width and 0 <= y < height is data[y * stride + x].
template <class T>
struct View {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t stride = 0;

  STARPATH_HD T* row(int y) const { return data + y * stride; }
  STARPATH_HD T& at(int x, int y) const { return data[y * stride + x]; }
  STARPATH_HD bool contains(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
  STARPATH_HD std::ptrdiff_t pixels() const { return std::ptrdiff_t{width} * height; }

  /// To a view that only reads.
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) STARPATH_HD operator View<U>() const {
    return {data, width, height, stride};
  }
};

using RgbView = View<const Rgb>;
/// A mask holds 0 (out) or 255 (in) and nothing else.
using MaskView = View<const std::uint8_t>;
using GrayView = View<const std::uint8_t>;

}  // namespace starpath
