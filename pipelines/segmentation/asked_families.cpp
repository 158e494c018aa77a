// From names to families and back.
#include "pipelines/segmentation/asked_families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"

namespace starpath {

FamilySet families_named(const std::vector<std::string>& names) {
  FamilySet families;
  if (std::ranges::find(names, "all") != names.end() && names.size() == 1) return families;
  for (std::size_t i = 0; i < kFamilyCount; ++i)
    families.set(static_cast<FeatureFamily>(i), std::ranges::find(names, kFamilyNames[i]) != names.end());
  for (const std::string& name : names)
    if (std::ranges::find(kFamilyNames, name) == kFamilyNames.end())
      throw Error(ErrorKind::usage, fmt::format("no family of features is called '{}'; there are {}, or all alone",
                                                name, fmt::join(kFamilyNames, ", ")));
  if (names.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--families takes one or more of {}, or all", fmt::join(kFamilyNames, ", ")));
  return families;
}

std::string text_of(const FamilySet& families) {
  std::string text;
  for (std::size_t i = 0; i < kFamilyCount; ++i)
    if (families.has(static_cast<FeatureFamily>(i)))
      text += fmt::format("{}{}", text.empty() ? "" : ",", kFamilyNames[i]);
  return text;
}

std::vector<std::string> feature_names(const FamilySet& families) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kFeatureTotal; ++i)
    if (families.has(kFeaturePlaces[i].family)) names.emplace_back(kFeatureNames[i]);
  return names;
}

}  // namespace starpath
