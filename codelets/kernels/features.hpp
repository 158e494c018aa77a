// Operation 11: what is measured of each nucleus and of the cytoplasm ring around it.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/context.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "codelets/kernels/image.hpp"

namespace starpath {

STARPATH_DECLARE_KERNEL(
    /// Row `label - 1` of `table` (width feature_count, one row a label) receives the features of object `label` for every label
    /// with wanted[label - 1] != 0; other rows are left alone. `boxes` are object_boxes(labels).
    /// The ring of a nucleus is what lies within distance 8 of it and in no nucleus at all. Statistics of an empty ring are 0.
    /// The image's surroundings are replicated where a filter reaches over the border.
    void features(const Context& context, RgbView rgb, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                  std::span<const std::uint8_t> wanted, View<double> table))

}  // namespace starpath
