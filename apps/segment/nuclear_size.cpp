// The median area of the accepted nuclei, in square micrometres.
#include "apps/segment/nuclear_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/slides/working_slide.hpp"

namespace starpath::apps {
namespace {

// Of sections: a lymphocyte of 5 um has 20 um2 and often less of it in the section; nuclei of most tumours have less
// than 100.
constexpr double kLeastMedian = 8, kMostMedian = 120;
constexpr std::size_t kFewest = 50;

}  // namespace

void check_nuclear_size(const io::ResultStore& store, Outcome& outcome) {
  const double mpp = store.info().mpp > 0 ? store.info().mpp : io::kDesignMpp;
  std::vector<std::int32_t> areas;
  store.for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) { areas.push_back(nucleus.area); });
  if (areas.size() < kFewest) return;
  const auto middle = areas.begin() + static_cast<std::ptrdiff_t>(areas.size() / 2);
  std::nth_element(areas.begin(), middle, areas.end());
  const double median = *middle * mpp * mpp;
  outcome.found_json["median_area_um2"] = median;
  if (median >= kLeastMedian && median <= kMostMedian) return;
  outcome.warnings.push_back(
      fmt::format("the median nucleus has {:.3g} um2; nuclei of tissue have {} to {}. Is the resolution right (--mpp), "
                  "or is this no haematoxylin?",
                  median, kLeastMedian, kMostMedian));
}

}  // namespace starpath::apps
