// The stains of a slide from the directions of its optical densities. Pure.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "codelets/kernels/stain_vectors.hpp"
#include "codelets/kernels/survey.hpp"

namespace starpath {

/// Sums of SurveyCounts::directions.
using Directions = std::array<std::array<std::int64_t, kDirectionSteps>, kDirectionSteps>;

/// Two stains that explain a slide's colours: all lie between them in the plane that fits them best, but the outermost
/// hundredth on each side. Source: Macenko et al., "A method for normalizing histology slides for quantitative
/// analysis" (2009); here each pixel counts the same however dense it is. The redder-absorbing one comes first. Nothing
/// for fewer than 10,000 pixels. From integers by + - * / and square roots alone: the same bits everywhere.
std::optional<StainVectors> estimate_stains(const Directions& directions);

/// The cosine of the angle between two colours of stains, percent.
int likeness(const std::array<int, 3>& a, const std::array<int, 3>& b);

/// Shares of all pixels that have a direction, percent.
struct DirectionShares {
  std::int64_t pixels = 0;
  int neutral = 0;       // without colour
  int brown = 0;         // blue is absorbed most and red least, as by DAB and in yellow and brown things
  int foreign = 0;       // green is absorbed less than red or blue: blue and green things, and haematoxylin inverted
  int haematoxylin = 0;  // none of these, and red is absorbed more than blue
};
DirectionShares share_directions(const Directions& directions);

}  // namespace starpath
