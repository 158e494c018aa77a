// The columns of the feature table: one name a feature, in order. docs/features.md gives every formula.
#pragma once
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace starpath {

// Order: nucleus_<shape>, cytoplasm_area, then for each region, for each channel: <region>_<channel>_<measure>.
inline constexpr auto shape_measures = std::to_array<std::string_view>(
    {"area", "perimeter", "major_axis", "minor_axis", "eccentricity", "extent", "circularity", "equivalent_diameter"});
inline constexpr auto feature_regions = std::to_array<std::string_view>({"nucleus", "cytoplasm"});
inline constexpr auto feature_channels = std::to_array<std::string_view>({"haematoxylin", "eosin", "gray"});
inline constexpr auto channel_measures = std::to_array<std::string_view>({
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

inline constexpr std::size_t feature_total =
    shape_measures.size() + 1 + feature_regions.size() * feature_channels.size() * channel_measures.size();
inline constexpr int feature_count = static_cast<int>(feature_total);

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

inline constexpr auto feature_name_storage = [] {
  std::array<FeatureName, feature_total> names{};
  std::size_t next = 0;
  for (const auto measure : shape_measures) (names[next++] += "nucleus") += measure;
  (names[next++] += "cytoplasm") += "area";
  for (const auto region : feature_regions)
    for (const auto channel : feature_channels)
      for (const auto measure : channel_measures) ((names[next++] += region) += channel) += measure;
  return names;
}();

}  // namespace detail

inline constexpr auto feature_names = [] {
  std::array<std::string_view, feature_total> names;
  for (std::size_t i = 0; i < feature_total; ++i) {
    const auto& name = detail::feature_name_storage[i];
    names[i] = {name.text.data(), name.size};
  }
  return names;
}();

/// Column of a feature; throws std::out_of_range for a name that is none (a compile error in a constant expression).
constexpr std::size_t feature_index(std::string_view name) {
  for (std::size_t i = 0; i < feature_total; ++i)
    if (feature_names[i] == name) return i;
  throw std::out_of_range("no such feature");
}

}  // namespace starpath
