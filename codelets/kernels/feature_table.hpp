// The columns of the feature table: one name a feature, in order. docs/features.md gives every formula.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace starpath {

// Order: nucleus_<shape>, cytoplasm_area, then for each region, for each channel: <region>_<channel>_<measure>.
inline constexpr auto kShapeMeasures = std::to_array<std::string_view>(
    {"area", "perimeter", "major_axis", "minor_axis", "eccentricity", "extent", "circularity", "equivalent_diameter"});
inline constexpr auto kFeatureRegions = std::to_array<std::string_view>({"nucleus", "cytoplasm"});
inline constexpr auto kFeatureChannels = std::to_array<std::string_view>({"haematoxylin", "eosin", "gray"});
inline constexpr auto kChannelMeasures = std::to_array<std::string_view>({
    "mean",
    "max",
    "min",
    "std",
    "entropy",
    "energy",
    "skewness",
    "kurtosis",  //
    "gradient_mean",
    "gradient_std",
    "gradient_entropy",
    "gradient_energy",
    "gradient_skewness",
    "gradient_kurtosis",
    "canny_count",
    "canny_mean",
    "sobel_count",  //
    "haralick_energy",
    "haralick_contrast",
    "haralick_correlation",
    "haralick_variance",
    "haralick_homogeneity",
    "haralick_sum_average",
    "haralick_sum_variance",
    "haralick_sum_entropy",
    "haralick_entropy",
    "haralick_difference_variance",
    "haralick_difference_entropy",
    "haralick_information_1",
    "haralick_information_2",
});

inline constexpr std::size_t kFeatureTotal =
    kShapeMeasures.size() + 1 + kFeatureRegions.size() * kFeatureChannels.size() * kChannelMeasures.size();
inline constexpr int kFeatureCount = static_cast<int>(kFeatureTotal);

namespace detail {

struct FeatureName {
  std::array<char, 56> text{};
  std::size_t size = 0;

  constexpr FeatureName& operator+=(std::string_view part) {
    if (size != 0) text[size++] = '_';
    for (const char c : part) text[size++] = c;
    return *this;
  }
};

inline constexpr auto kFeatureNameStorage = [] {
  std::array<FeatureName, kFeatureTotal> names{};
  std::size_t next = 0;
  for (const auto measure : kShapeMeasures) (names[next++] += "nucleus") += measure;
  (names[next++] += "cytoplasm") += "area";
  for (const auto region : kFeatureRegions)
    for (const auto channel : kFeatureChannels)
      for (const auto measure : kChannelMeasures) ((names[next++] += region) += channel) += measure;
  return names;
}();

}  // namespace detail

inline constexpr auto kFeatureNames = [] {
  std::array<std::string_view, kFeatureTotal> names;
  for (std::size_t i = 0; i < kFeatureTotal; ++i) {
    const auto& name = detail::kFeatureNameStorage[i];
    names[i] = {name.text.data(), name.size};
  }
  return names;
}();

}  // namespace starpath
