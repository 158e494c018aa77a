// Families of features: each is computed by an operation of its own, and users ask for families by name.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codelets/kernels/feature_table.hpp"
#include "codelets/kernels/host_device.hpp"

namespace starpath {

enum class FeatureFamily : std::uint8_t { shape, intensity, gradient, edges, texture };
inline constexpr auto kFamilyNames =
    std::to_array<std::string_view>({"shape", "intensity", "gradient", "edges", "texture"});
inline constexpr std::size_t kFamilyCount = kFamilyNames.size();

/// How many of a channel's measures a family has. The measures of a family stand together in kChannelMeasures, and the
/// families in the order of their enumeration. Shape has no measures of channels.
STARPATH_HD constexpr std::size_t measures_of(FeatureFamily family) {
  constexpr std::size_t measures[] = {0, 8, 6, 3, 13};
  return measures[static_cast<std::size_t>(family)];
}
static_assert(measures_of(FeatureFamily::intensity) + measures_of(FeatureFamily::gradient) +
                  measures_of(FeatureFamily::edges) + measures_of(FeatureFamily::texture) ==
              kChannelMeasures.size());

/// Columns of the table that a family's operation writes: those of its features, in the order of kFeatureNames.
STARPATH_HD constexpr int columns_of(FeatureFamily family) {
  return static_cast<int>(family == FeatureFamily::shape
                              ? kShapeMeasures.size() + 1
                              : kFeatureRegions.size() * kFeatureChannels.size() * measures_of(family));
}

/// Where the measures of a region and a channel begin in a row of the family's table.
STARPATH_HD constexpr std::size_t channel_column(FeatureFamily family, std::size_t region, std::size_t channel) {
  return (kFeatureChannels.size() * region + channel) * measures_of(family);
}

/// The table and the column that hold a feature.
struct FeaturePlace {
  FeatureFamily family;
  int column;
};

/// Of each feature, in the order of kFeatureNames.
inline constexpr auto kFeaturePlaces = [] {
  std::array<FeaturePlace, kFeatureTotal> places{};
  std::array<int, kFamilyCount> columns{};  // that have their feature
  std::size_t next = 0;
  const auto take = [&](FeatureFamily family) {
    places[next++] = {family, columns[static_cast<std::size_t>(family)]++};
  };
  while (next < static_cast<std::size_t>(columns_of(FeatureFamily::shape))) take(FeatureFamily::shape);
  while (next < kFeatureTotal)
    for (std::size_t family = 0; family < kFamilyCount; ++family)
      for (std::size_t k = 0; k < measures_of(static_cast<FeatureFamily>(family)); ++k)
        take(static_cast<FeatureFamily>(family));
  return places;
}();

/// Families that a run computes; all of them at first.
class FamilySet {
 public:
  constexpr FamilySet() { has_.fill(true); }
  constexpr bool has(FeatureFamily family) const { return has_[static_cast<std::size_t>(family)]; }
  constexpr void set(FeatureFamily family, bool has) { has_[static_cast<std::size_t>(family)] = has; }
  constexpr bool all() const { return *this == FamilySet(); }
  /// Whether a family is there that is measured on the images of stains.
  constexpr bool has_channels() const {
    return std::any_of(has_.begin() + 1, has_.end(), [](bool has) { return has; });
  }
  friend constexpr bool operator==(const FamilySet&, const FamilySet&) = default;

 private:
  std::array<bool, kFamilyCount> has_{};
};

}  // namespace starpath
