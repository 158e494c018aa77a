// Units by the ends of names.
#include "io/results/physical_units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string_view>
#include <utility>

namespace starpath::io {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 4> kDimensions = {
    {{"_area", 2}, {"_perimeter", 1}, {"_axis", 1}, {"_diameter", 1}}};

std::string title_of(std::string name, int dimension) {
  constexpr std::string_view own = "nucleus_";
  if (name.starts_with(own)) name.erase(0, own.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name + (dimension == 2 ? " um^2" : " um");
}

}  // namespace

double PhysicalFeature::physical(double pixels, double mpp) const {
  if (!(mpp > 0)) return std::numeric_limits<double>::quiet_NaN();
  return dimension == 2 ? pixels * (mpp * mpp) : pixels * mpp;
}

std::vector<PhysicalFeature> physical_features(const std::vector<std::string>& names) {
  std::vector<PhysicalFeature> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const auto& [end, dimension] : kDimensions)
      if (names[i].ends_with(end))
        found.push_back({i, dimension, names[i] + (dimension == 2 ? "_um2" : "_um"), title_of(names[i], dimension)});
  return found;
}

}  // namespace starpath::io
