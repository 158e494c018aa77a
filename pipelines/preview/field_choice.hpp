// Which fields of a slide are worth a look. Pure.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/pure/rect.hpp"
#include "io/slides/overview.hpp"

namespace starpath {

/// Side of a field, working pixels: a quarter of a tile, so that no field lies in two tiles.
inline constexpr std::int64_t kPreviewField = 512;

/// At most `most` fields of the overview's region, in row-major order; at least one for a region that is not empty. The
/// fields lie on a grid that starts at the slide's origin, and are cut at the region. Where `from` has fields, only
/// these are candidates.
///
/// A field's score is the red that it absorbs, as nuclei do; glass, ink and dark pixels do not count. Candidates are
/// the fields with at least half of the highest score. The one with the highest score is chosen first, then each time
/// the one that is farthest from those chosen. Whole fields are chosen before fields that the region cuts, and less
/// than a quarter of a field only where there is nothing else. Where no field has tissue, those in the middle are
/// chosen.
std::vector<Rect> choose_preview_fields(const io::Overview& overview, std::size_t most,
                                        std::span<const Rect> from = {});

}  // namespace starpath
