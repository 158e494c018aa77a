// The depth of every pixel of one object: its distance to the nearest pixel outside.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/cpu/catchments.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

/// Measures the objects of one image, one by one. The nearest pixel outside an object is next to that object, so that
/// the other objects can be left out.
class ObjectDepths {
 public:
  ObjectDepths(const KernelContext& context, int image_width, int image_height);

  /// Sets the values of the object's pixels to min(depth_max, floor(256 * distance)).
  void measure(const Object& object, Catchments& catchments);
  /// Sets each value to the mean of the values of the 3x3 pixels around, as kernels/pre_watershed.hpp says. Pixels next
  /// to an object that do not belong to it are in no object.
  void smooth(const Object& object, Catchments& catchments);

 private:
  /// How far the search along rows looks, and the greatest squared distance that it can leave behind as exact.
  static constexpr std::int32_t kReach = 32;
  static constexpr std::int32_t kTableSquared = (kReach + 1) * (kReach + 1);

  bool measure_small(const Object& object, Catchments& catchments);
  void measure_any(const Object& object, Catchments& catchments);

  const KernelContext& context_;
  int width_, height_;
  std::span<std::int32_t> table_;
};

}  // namespace starpath::cpu
