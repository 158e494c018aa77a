// The reconstruction of a relief, object by object, from a marker that is the relief itself, lower in places.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codelets/cpu/catchments.hpp"

namespace starpath::cpu {

/// Lowers the value of every root to its reconstruction: lowered(value) is the marker there, which is no more than
/// `value` and no less for a higher value. The way from a root up to a higher peak leads over the saddle where its
/// catchment was joined to that peak's.
template <class Lowered>
void lower_roots(Scratch& scratch, const Object& object, Lowered lowered, Catchments& catchments) {
  struct Join {
    std::int32_t first, second, saddle;
  };
  const Scratch::Mark mark(scratch);
  const auto joins = scratch.take<Join>(static_cast<std::size_t>(catchments.groups()));
  std::size_t count = 0;
  catchments.join([&](std::int32_t a, std::int32_t b, std::int32_t p) {
    joins[count++] = {a, b, catchments.value(p)};
    return true;
  });
  const std::int32_t top = catchments.first_root(catchments.root(catchments.index_of(object.segments.front())));
  catchments.set_value(top, lowered(catchments.value(top)));
  while (count-- > 0) {
    const Join& join = joins[count];
    catchments.set_value(join.second, std::max(lowered(catchments.value(join.second)),
                                               std::min(join.saddle, catchments.value(join.first))));
  }
}

/// Nothing on the way from a pixel up to its root is lower than the pixel, so that its reconstruction is that of the
/// root, or its own value where that is less.
inline void store_lowered(const Object& object, const Catchments& catchments, View<std::uint16_t> depth) {
  for (const Segment& segment : object.segments) {
    const std::int32_t begin = catchments.index_of(segment);
    std::uint16_t* const out = depth.row(segment.y) + segment.x0;
    for (std::int32_t i = 0; i < segment.length(); ++i)
      out[i] = static_cast<std::uint16_t>(
          std::min(catchments.value(begin + i), catchments.value(catchments.root(begin + i))));
  }
}

}  // namespace starpath::cpu
