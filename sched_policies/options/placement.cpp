// The values of STARPATH_PLACEMENT by name.
#include "sched_policies/options/placement.hpp"

#include <algorithm>
#include <array>

namespace starpath {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"closest", "os", "worst"};

}  // namespace

std::optional<Placement> parse_placement(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Placement>(found - kNames.begin());
}

std::string_view name_of(Placement placement) { return kNames[static_cast<std::size_t>(placement)]; }

}  // namespace starpath
