// The sets of parameters that a preview shows beside each other. Pure.
#pragma once
#include <string>
#include <vector>

#include "pipelines/segmentation/asked_parameters.hpp"

namespace starpath {

struct Variant {
  std::string label;  // "as given", "G1=40"
  SegmentationParameters parameters;
};

/// The given parameters, then those of a sweep, "NAME=FIRST:LAST:STEP" ("G1=20:100:20") or "NAME=VALUE,VALUE,...". An
/// empty sweep adds none. Each value counts as one that was said (parameters_of). Throws Error{usage}: another form,
/// more than kMostSwept values, and as parameters_of does.
inline constexpr std::size_t kMostSwept = 12;
std::vector<Variant> variants_of(const AskedParameters& given, const std::string& sweep);

}  // namespace starpath
