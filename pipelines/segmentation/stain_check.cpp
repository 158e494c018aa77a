// Haematoxylin against eosin.
#include "pipelines/segmentation/stain_check.hpp"

#include <algorithm>
#include <unordered_set>

namespace starpath {

std::int64_t leave_out_eosin(const io::NucleusStore& nuclei, std::vector<std::int64_t>& accepted) {
  std::unordered_set<std::int64_t> eosin;
  // Values of stains fall with the amount: 255 is none.
  nuclei.for_each_pair("nucleus_haematoxylin_mean", "nucleus_eosin_mean",
                       [&](std::int64_t object, double haematoxylin_value, double eosin_value) {
                         if (haematoxylin_value >= eosin_value) eosin.insert(object);
                       });
  const auto leaves = [&](std::int64_t object) { return eosin.contains(object); };
  const auto going = std::ranges::count_if(accepted, leaves);
  if (2 * going > std::ssize(accepted)) return 0;
  std::erase_if(accepted, leaves);
  return going;
}

}  // namespace starpath
