// The columns of the feature table: one name a feature, in order.
#pragma once
#include <array>
#include <string_view>

namespace starpath {

inline constexpr std::array feature_names = {std::string_view{"area"}};
inline constexpr int feature_count = static_cast<int>(feature_names.size());

}  // namespace starpath
