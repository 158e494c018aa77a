// Levels of the difference image from its histogram. Pure.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "codelets/kernels/survey.hpp"
#include "pipelines/survey/survey.hpp"

namespace starpath {

/// Where a histogram falls into two classes.
struct Split {
  int level = 0;       // highest value of the lower class
  int separation = 0;  // variance between the classes, percent of the whole
};

/// The level that makes the variance between the classes largest, the lowest such level. `histogram` has 256 entries.
/// 0 and 0 when all pixels have one value, or there are none. Source: Otsu 1979.
Split split_in_two(std::span<const std::int64_t> histogram);

/// The levels of tissue whose differences split there: a pixel above the split is a nucleus, which reaches down to
/// seven tenths of it.
Levels levels_of(const Split& split);

/// Sums of SurveyCounts::amounts.
using StainAmountCounts = std::array<std::array<std::int64_t, kAmountSteps>, kDifferenceSteps>;

/// The density of haematoxylin that every nucleus holds, where the pixels above `nucleus_level` are not all nuclei:
/// fibres beside gaps are as dark against glass as nuclei against tissue. It is half of the level at which the amounts
/// above that level split in two (Otsu), if the lower class holds on average less than half as much as the upper one
/// and neither is less than a twentieth; else 0. Half, because the upper class may be darker than nuclei: keratin, ink.
int haematoxylin_level(const StainAmountCounts& amounts, int nucleus_level);

}  // namespace starpath
