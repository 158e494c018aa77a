// Operation 11: measures each nucleus and the cytoplasm ring around it, a kernel for each family of features.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/colour_deconvolution.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/feature_families.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/nucleus_regions.hpp"

namespace starpath {

/// A row depends on no pixel and no label further from the object than this, along either axis. It does not depend on
/// where the object stands. So a tile whose halo is at least this wide gives the rows that the whole image gives.
inline constexpr int kFeatureReach = kRingDistance + kFilterReach;

// Of every kernel below, row `label - 1` of `table` (width columns_of(family), one row a label) receives the family's
// features of object `label` for every label with wanted[label - 1] != 0; other rows are left alone. `channels` is what
// colour_deconvolution made of the image, and `masks` what nucleus_regions made of the labels, for the same objects.
// `boxes` are object_boxes(labels), and `labels` has the image's size. Labels 1..boxes.size() are nuclei and 0 is
// background. The image's surroundings are replicated where a filter reaches over the border. Devices sum integers
// only; feature_row.hpp turns the sums into doubles. docs/features.md has the formulas.

STARPATH_DECLARE_KERNEL(
    /// Size, outline and axes of the nucleus, and the area of its ring.
    void shape_features(const KernelContext& context, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                        std::span<const std::uint8_t> wanted, std::span<const MaskPlace> places,
                        std::span<const std::uint64_t> masks, View<double> table))

STARPATH_DECLARE_KERNEL(
    /// Statistics of the values of each channel.
    void intensity_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                            std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                            std::span<const MaskPlace> places, std::span<const std::uint64_t> masks,
                            View<double> table))

STARPATH_DECLARE_KERNEL(
    /// Statistics of the magnitudes of the gradient.
    void gradient_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                           std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                           std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table))

STARPATH_DECLARE_KERNEL(
    /// Edges by Canny's test, and the signs of Sobel's filter.
    void edge_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                       std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                       std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table))

STARPATH_DECLARE_KERNEL(
    /// Texture after Haralick.
    void texture_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                          std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                          std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table))

}  // namespace starpath
