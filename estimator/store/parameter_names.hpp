// Whether samples of a codelet were measured with the parameters that it has today.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace starpath {

/// What a parameter is called that has no name: "p0", "p1", ...
inline bool is_unnamed_parameter(std::string_view name) {
  return name.size() > 1 && name.front() == 'p' && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// Whether samples of parameters `stored` can be compared with tasks of parameters `fresh`. One list may be longer: a
/// codelet whose tasks differ in their number of buffers shows its names bit by bit. A parameter without a name may be
/// any.
inline bool same_parameters(const std::vector<std::string>& stored, const std::vector<std::string>& fresh) {
  const std::size_t both = std::min(stored.size(), fresh.size());
  return std::equal(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(both), fresh.begin(),
                    [](const std::string& a, const std::string& b) {
                      return a == b || is_unnamed_parameter(a) || is_unnamed_parameter(b);
                    });
}

}  // namespace starpath
