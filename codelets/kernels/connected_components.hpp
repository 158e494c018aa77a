// Connected components: labels in raster order of first pixels, and a table of the objects' boxes.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

enum class Connectivity { four = 4, eight = 8 };

/// The box of one labelled object, in pixels of the image. x1 and y1 are one past the last.
struct ObjectBox {
  std::int32_t x0, y0, x1, y1;
  std::int32_t area;
  std::int32_t first_x, first_y;  // first pixel in raster order
  std::int64_t sum_x, sum_y;      // of the pixel coordinates: the centroid is sum / area
};

STARPATH_DECLARE_KERNEL(
    /// labels = 0 outside the mask, else 1..*count: objects are numbered in raster order of their first pixel.
    void label_components(const KernelContext& context, MaskView mask, Connectivity connectivity,
                          View<std::int32_t> labels, std::int32_t* count))

STARPATH_DECLARE_KERNEL(
    /// boxes[label - 1] describes object `label`; every label in 1..boxes.size() occurs in `labels`.
    void object_boxes(const KernelContext& context, View<const std::int32_t> labels, std::span<ObjectBox> boxes))

STARPATH_DECLARE_KERNEL(
    /// out = the objects of `mask` whose area is in [min_area, max_area). `out` may alias `mask`.
    void area_filter(const KernelContext& context, MaskView mask, Connectivity connectivity, std::int32_t min_area,
                     std::int32_t max_area, View<std::uint8_t> out))

STARPATH_DECLARE_KERNEL(
    /// Operation 6: seeds = area_filter(filled, 8-connected, [min_area, max_area)).
    void area_threshold(const KernelContext& context, MaskView filled, int min_area, int max_area,
                        View<std::uint8_t> seeds))

}  // namespace starpath
