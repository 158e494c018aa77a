// What a study counts of one of its slides. Pure.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace starpath::io {

/// The counts of a slide: those of StudyClusters or StudyClasses, which are by slide and region.
template <class Count>
std::span<const Count> counts_of(const std::vector<Count>& counts, std::int64_t slide) {
  return std::ranges::equal_range(counts, slide, {}, &Count::slide);
}

/// Of one of its regions, or of all of the slide (region 0).
template <class Count>
std::span<const Count> counts_of(const std::vector<Count>& counts, std::int64_t slide, std::int64_t region) {
  return std::ranges::equal_range(counts, std::pair(slide, region), {},
                                  [](const Count& count) { return std::pair(count.slide, count.region); });
}

}  // namespace starpath::io
