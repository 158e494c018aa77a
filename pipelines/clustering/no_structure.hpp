// What a low silhouette says.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace starpath {

/// Kaufman and Rousseeuw (1990): below, no substantial structure has been found.
inline constexpr double kNoStructure = 0.25;

/// A warning; empty where `parts` ("clusters") have structure.
inline std::string warn_of_no_structure(double silhouette, std::string_view parts) {
  if (silhouette >= kNoStructure) return {};
  return fmt::format("the mean silhouette is {:.2f}: below {} {} cut up what is continuous", silhouette, kNoStructure,
                     parts);
}

}  // namespace starpath
