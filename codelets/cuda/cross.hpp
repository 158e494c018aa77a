// Filters over the 3x3 cross.
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {

/// How many of the pixel and its 4 neighbours in the image are set, and how many there are.
struct CrossCount {
  int set, all;
};

STARPATH_HD inline CrossCount count_cross(MaskView mask, int x, int y) {
  CrossCount count{mask.at(x, y) != 0 ? 1 : 0, 1};
  const auto look = [&](int u, int v) {
    if (!mask.contains(u, v)) return;
    ++count.all;
    if (mask.at(u, v) != 0) ++count.set;
  };
  look(x, y - 1), look(x - 1, y), look(x + 1, y), look(x, y + 1);
  return count;
}

inline void erode_cross(const KernelContext& context, MaskView in, View<std::uint8_t> out) {
  for_pixels(context, "erode by the cross", in.width, in.height, [=] __device__(int x, int y) {
    const CrossCount count = count_cross(in, x, y);
    out.at(x, y) = count.set == count.all ? 255 : 0;
  });
}

inline void dilate_cross(const KernelContext& context, MaskView in, View<std::uint8_t> out) {
  for_pixels(context, "dilate by the cross", in.width, in.height,
             [=] __device__(int x, int y) { out.at(x, y) = count_cross(in, x, y).set != 0 ? 255 : 0; });
}

}  // namespace starpath::cuda
