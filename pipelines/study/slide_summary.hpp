// What a study keeps of a slide, from its results.
#pragma once
#include <cstddef>
#include <vector>

#include "io/results/result_store.hpp"
#include "io/study/study_store.hpp"

namespace starpath {

inline constexpr std::size_t kSummaryMemory = std::size_t{128} << 20;  // bytes of numbers

/// Mean and quartiles of every feature over the accepted nuclei, in the order of the features. Reads the results as
/// often as needed to hold no more than `memory` bytes of numbers at a time, but at least one feature.
std::vector<io::FeatureSummary> summarise_features(const io::ResultStore& store, std::size_t memory = kSummaryMemory);

/// Fills in what results say: tiles, size, resolution, parameters; once no nuclei are `missing`, also their number,
/// density, median area and features, and the same of each region.
void summarise_results(const io::ResultStore& store, bool missing, io::SlideSummary& summary);

}  // namespace starpath
