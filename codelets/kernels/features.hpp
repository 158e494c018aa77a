// Operation 11: measures each nucleus and the cytoplasm ring around it.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The ring of a nucleus: the pixels whose centre lies within this distance of the centre of one of its pixels and that
/// belong to no nucleus at all.
inline constexpr int kRingDistance = 8;

/// A row depends on no pixel and no label further from the object than this, along either axis. It does not depend on
/// where the object stands. So a tile whose halo is at least this wide gives the rows that the whole image gives.
inline constexpr int kFeatureReach = kRingDistance + kFilterReach;

STARPATH_DECLARE_KERNEL(
    /// Row `label - 1` of `table` (width kFeatureCount, one row a label) receives the features of object `label` for
    /// every label with wanted[label - 1] != 0; other rows are left alone. `boxes` are object_boxes(labels), and
    /// `labels` has rgb's size. Labels 1..boxes.size() are nuclei and 0 is background. The image's surroundings are
    /// replicated where a filter reaches over the border. Integers only are summed (FeatureSums); write_feature_row
    /// makes the row. docs/features.md has the formulas. `stains` says what haematoxylin and eosin are:
    /// stain_amounts(), or kStainAmountTable.
    void features(const KernelContext& context, RgbView rgb, View<const std::int32_t> labels,
                  std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                  const StainAmountTable& stains, View<double> table))

}  // namespace starpath
