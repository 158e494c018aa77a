// Steepest ascent and the crossings between catchments.
#include "codelets/cpu/catchments.hpp"

#include <array>
#include <utility>

namespace starpath::cpu {

std::int32_t Catchments::point_upwards() {
  const std::int32_t stride = stride_, first = stride + 1, last = size_ - stride - 1;
  const std::int32_t* const v = values_.data();
  std::int32_t* const up = roots_.data();
  std::int32_t roots = 0;
  // In raster order, the pixel itself in its place, so that the earlier wins among equals. The ring keeps rows apart,
  // so that all rows can be one loop; the values outside the object are never read.
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
      std::int32_t top = p;
      while (up[top] != top) top = up[top];
      // All on the way at once, or else slopes as long as the image would be climbed once a pixel.
      for (std::int32_t q = p; q != top;) q = std::exchange(up[q], top);
      joined(top) = top;
    }
  }
}

void Catchments::climb() {
  groups_ = point_upwards();
  if (groups_ > 1) {
    follow_pointers();
  } else {
    std::int32_t top = index_of(object_->segments.front());
    while (root(top) != top) top = root(top);
    std::fill_n(roots_.data(), size_, top);
    joined(top) = top;
  }
}

std::size_t Catchments::flag_crossings(std::int32_t* flags) const {
  const std::int32_t stride = stride_, first = stride + 1, last = size_ - stride - 1;
  const std::int32_t* const v = values_.data();
  const std::int32_t* const roots = roots_.data();
  for (std::int32_t i = first; i < last; ++i) {
    std::int32_t flag = 0;
    const auto earlier = [&](std::int32_t q) { flag |= v[q] >= v[i] && roots[q] != roots[i] ? 1 : 0; };
    const auto later = [&](std::int32_t q) { flag |= v[q] > v[i] && roots[q] != roots[i] ? 1 : 0; };
    earlier(i - stride - 1);
    earlier(i - stride);
    earlier(i - stride + 1);
    earlier(i - 1);
    later(i + 1);
    later(i + stride - 1);
    later(i + stride);
    later(i + stride + 1);
    flags[i] = v[i] >= 0 ? flag : 0;
  }
  std::size_t count = 0;
  for (std::int32_t i = first; i < last; ++i) count += static_cast<std::size_t>(flags[i]);
  return count;
}

std::span<const std::uint64_t> Catchments::crossings() {
  const auto flags = scratch_.take<std::int32_t>(static_cast<std::size_t>(size_));
  const auto keys = scratch_.take<std::uint64_t>(flag_crossings(flags.data()));
  std::uint64_t* next = keys.data();
  for (const Segment& segment : object_->segments) {
    const std::int32_t begin = index_of(segment), end = begin + segment.length();
    for (std::int32_t p = begin; p < end; ++p)
      if (flags[static_cast<std::size_t>(p)] != 0)
        *next++ = std::uint64_t{static_cast<std::uint32_t>(65535 - value(p))} << 32 | static_cast<std::uint32_t>(p);
  }
  std::sort(keys.begin(), keys.end());
  return keys;
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
