// Steepest ascent and the crossings between catchments.
#include "codelets/cpu/catchments.hpp"

#include <array>

namespace starpath::cpu {

std::int32_t Catchments::point_upwards() {
  const std::int32_t stride = stride_, first = stride + 1, last = size_ - stride - 1;
  const std::int32_t* const v = values_.data();
  std::int32_t* const up = roots_.data();
  std::int32_t roots = 0;
  // In raster order, the pixel itself in its place, so that the earlier wins among equals. The ring keeps rows apart,
  // so that all rows can be one loop; what it computes outside the object is never read.
  for (std::int32_t i = first; i < last; ++i) {
    std::int32_t best = v[i - stride - 1], offset = -stride - 1;
    const auto consider = [&](std::int32_t neighbour) {
      const std::int32_t value = v[i + neighbour];
      offset = value > best ? neighbour : offset;
      best = value > best ? value : best;
    };
    consider(-stride);
    consider(-stride + 1);
    consider(-1);
    consider(0);
    consider(1);
    consider(stride - 1);
    consider(stride);
    consider(stride + 1);
    up[i] = i + offset;
    roots += offset == 0 && v[i] >= 0 ? 1 : 0;
  }
  return roots;
}

void Catchments::follow_pointers() {
  std::int32_t* const up = roots_.data();
  for (const Segment& segment : object_->segments) {
    const std::int32_t begin = index_of(segment), end = begin + segment.length();
    for (std::int32_t p = begin; p < end; ++p) {
      while (up[up[p]] != up[p]) up[p] = up[up[p]];
      if (up[p] == p) joined(p) = p;
    }
  }
}

int Catchments::climb() {
  const std::int32_t roots = point_upwards();
  follow_pointers();
  return roots;
}

std::span<const std::uint64_t> Catchments::crossings() {
  std::size_t area = 0;
  for (const Segment& segment : object_->segments) area += static_cast<std::size_t>(segment.length());
  const auto keys = scratch_.take<std::uint64_t>(area);
  std::size_t count = 0;
  std::int32_t lower[8];
  for (const Segment& segment : object_->segments) {
    const std::int32_t begin = index_of(segment), end = begin + segment.length();
    for (std::int32_t p = begin; p < end; ++p)
      if (other_catchments_before(p, lower) != 0)
        keys[count++] =
            std::uint64_t{static_cast<std::uint32_t>(65535 - value(p))} << 32 | static_cast<std::uint32_t>(p);
  }
  std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count));
  return keys.first(count);
}

int Catchments::other_catchments_before(std::int32_t p, std::int32_t* lower) const {
  const std::array<std::int32_t, 8> neighbours = {p - stride_ - 1, p - stride_,     p - stride_ + 1, p - 1,
                                                  p + 1,           p + stride_ - 1, p + stride_,     p + stride_ + 1};
  int count = 0;
  for (const std::int32_t q : neighbours) {
    if (!before(q, p) || root(q) == root(p)) continue;
    int at = count++;
    for (; at > 0 && before(q, lower[at - 1]); --at) lower[at] = lower[at - 1];
    lower[at] = q;
  }
  return count;
}

}  // namespace starpath::cpu
