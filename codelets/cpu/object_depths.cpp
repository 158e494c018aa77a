// Distances in an object's own bounding box.
#include "codelets/cpu/object_depths.hpp"

#include <algorithm>
#include <cstring>

#include "codelets/kernels/pre_watershed.hpp"

namespace starpath::cpu {
namespace {

/// rows = distances to the nearest 0 of the own column, from -1 in the object and 0 elsewhere, squared.
void square_columns(std::int32_t* rows, std::int32_t stride, std::int32_t size) {
  for (std::int32_t row = stride; row < size - stride; row += stride)
    for (std::int32_t i = row; i < row + stride; ++i) rows[i] &= rows[i - stride] + 1;
  for (std::int32_t row = size - 2 * stride; row >= stride; row -= stride)
    for (std::int32_t i = row; i < row + stride; ++i) rows[i] = std::min(rows[i], rows[i + stride] + 1);
  for (std::int32_t i = stride; i < size - stride; ++i) rows[i] *= rows[i];
}

/// One step of the search along rows, to columns `dx` away; returns the greatest distance left. All rows are one loop:
/// the ring between them is 0 and hides the rows beyond it.
std::int32_t look_aside(const std::int32_t* squares, std::int32_t dx, std::int32_t first, std::int32_t last,
                        std::int32_t* best) {
  std::int32_t greatest = 0;
  for (std::int32_t i = first; i < last; ++i) {
    const std::int32_t aside = std::min(squares[i - dx], squares[i + dx]) + dx * dx;
    best[i] = std::min(best[i], aside);
    greatest = std::max(greatest, best[i]);
  }
  return greatest;
}

}  // namespace

ObjectDepths::ObjectDepths(const KernelContext& context, int image_width, int image_height)
    : context_(context),
      width_(image_width),
      height_(image_height),
      table_(context.scratch.take<std::int32_t>(kTableSquared + 1)) {
  for (std::int32_t squared = 0; squared <= kTableSquared; ++squared)
    table_[static_cast<std::size_t>(squared)] = depth_of_squared(squared);
}

void ObjectDepths::measure(const Object& object, Catchments& catchments) {
  // Pixels outside the image are not 0.
  const bool inside = object.x0 > 0 && object.y0 > 0 && object.x1 < width_ && object.y1 < height_;
  if (!inside || !measure_small(object, catchments)) measure_any(object, catchments);
}

/// Returns false when the object is too thick.
bool ObjectDepths::measure_small(const Object& object, Catchments& catchments) {
  const Scratch::Mark mark(context_.scratch);
  const std::int32_t stride = catchments.stride(), size = catchments.size();
  std::int32_t* const squares = context_.scratch.take<std::int32_t>(static_cast<std::size_t>(size)).data();
  std::int32_t* const best = context_.scratch.take<std::int32_t>(static_cast<std::size_t>(size)).data();
  std::fill_n(squares, size, 0);
  for (const Segment& segment : object.segments)
    std::fill_n(squares + catchments.index_of(segment), segment.length(), -1);
  square_columns(squares, stride, size);
  std::copy_n(squares, size, best);

  // Steps stop before they are longer than a row: half a row away there is a 0.
  std::int32_t greatest = *std::max_element(best, best + size);
  for (std::int32_t dx = 1; dx * dx < greatest; ++dx) {
    if (dx > kReach) return false;
    greatest = look_aside(squares, dx, stride, size - stride, best);
  }
  for (const Segment& segment : object.segments) {
    const std::int32_t at = catchments.index_of(segment);
    for (std::int32_t i = at; i < at + segment.length(); ++i)
      catchments.set_value(i, table_[static_cast<std::size_t>(best[i])]);
  }
  return true;
}

void ObjectDepths::smooth(const Object& object, Catchments& catchments) {
  const Scratch::Mark mark(context_.scratch);
  const std::int32_t stride = catchments.stride(), size = catchments.size();
  std::int32_t* const across = context_.scratch.take<std::int32_t>(static_cast<std::size_t>(size)).data();
  const std::int32_t* const values = catchments.values();
  const auto depth = [&](std::int32_t i) { return std::max(values[i], 0); };  // 0 outside
  across[0] = across[size - 1] = 0;
  for (std::int32_t i = 1; i < size - 1; ++i) across[i] = depth(i - 1) + depth(i) + depth(i + 1);
  const auto in_image = [](std::int32_t at, std::int32_t length) { return 1 + (at > 0) + (at + 1 < length); };
  for (const Segment& segment : object.segments) {
    const std::int32_t at = catchments.index_of(segment);
    const std::int32_t rows = in_image(segment.y, height_);
    const auto sum = [&](std::int32_t i) { return across[i - stride] + across[i] + across[i + stride]; };
    const std::int32_t end = at + segment.length();
    if (rows == 3)  // nearly always: a division by a constant
      for (std::int32_t i = at; i < end; ++i) catchments.set_value(i, sum(i) / 9);
    else
      for (std::int32_t i = at; i < end; ++i) catchments.set_value(i, sum(i) / (rows * 3));
    const auto mend = [&](std::int32_t i, std::int32_t x) {
      catchments.set_value(i, sum(i) / (rows * in_image(x, width_)));
    };
    if (segment.x0 == 0) mend(at, 0);
    if (segment.x1 == width_) mend(end - 1, width_ - 1);
  }
}

void ObjectDepths::measure_any(const Object& object, Catchments& catchments) {
  const Scratch::Mark mark(context_.scratch);
  const int x0 = std::max(0, object.x0 - 1), y0 = std::max(0, object.y0 - 1);
  const int width = std::min(width_, object.x1 + 1) - x0, height = std::min(height_, object.y1 + 1) - y0;
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const View<std::uint8_t> mask{context_.scratch.take<std::uint8_t>(pixels).data(), width, height, width};
  const View<std::int32_t> squared{context_.scratch.take<std::int32_t>(pixels).data(), width, height, width};
  std::memset(mask.data, 0, pixels);
  for (const Segment& segment : object.segments)
    std::memset(&mask.at(segment.x0 - x0, segment.y - y0), 255, static_cast<std::size_t>(segment.length()));
  squared_distance(context_, mask, squared);
  for (const Segment& segment : object.segments) {
    const std::int32_t* from = &squared.at(segment.x0 - x0, segment.y - y0);
    const std::int32_t at = catchments.index_of(segment);
    for (std::int32_t i = 0; i < segment.length(); ++i) catchments.set_value(at + i, depth_of_squared(from[i]));
  }
}

}  // namespace starpath::cpu
