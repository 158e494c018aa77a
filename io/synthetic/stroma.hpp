// The pattern "stroma" of synthetic slides: square fields of one label each, for NBIA.
#pragma once
#include <cstdint>

#include "io/synthetic/spec.hpp"

namespace starpath::io {

/// Side of a field, in pixels of 0.5 um; fields lie on a grid that starts at the slide's origin.
inline constexpr std::int64_t kStromaFieldSide = 512;

enum class StromaLabel { glass, rich, poor };

/// The look of a field. Stroma-rich fields hold few, slender nuclei between fibres, stroma-poor ones many round nuclei.
/// How dark a field is stained varies, so that a mean colour alone does not always tell the two apart.
struct StromaField {
  StromaLabel label;
  std::int32_t cellularity;  // 0 to 65535, as that of TissueProperties
  std::int32_t stain;        // lighter (> 0) or darker than usual: unit 1/256 of the step from poor to rich
};

/// A pure function of its arguments; column and row >= 0.
StromaField stroma_field(std::uint64_t seed, std::int64_t column, std::int64_t row);

/// Label of the pixel (x, y) >= 0 of a slide with this pattern.
StromaLabel stroma_label(const SyntheticSpec& spec, std::int64_t x, std::int64_t y);

}  // namespace starpath::io
