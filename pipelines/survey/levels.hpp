// Levels of the difference image from its histogram. Pure.
#pragma once
#include <cstdint>
#include <span>

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

/// The levels of tissue whose differences split there: what is above the split is a nucleus, which reaches down to
/// seven tenths of it.
Levels levels_of(const Split& split);

}  // namespace starpath
