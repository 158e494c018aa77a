// What a page shows of a slide's results: the slide small, where its nuclei are, and how its features are spread.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "io/slides/overview.hpp"
#include "pages/study/shown_features.hpp"

namespace starpath::pages {

/// Nuclei by cell of a grid over what was analysed.
struct DensityMap {
  int columns = 0, rows = 0;
  double cell = 0;  // side, working pixels
  std::vector<std::int64_t> nuclei;
};

struct FeatureHistogram {
  std::vector<std::int64_t> counts;
  std::int64_t outside = 0;  // below the first bin or above the last
};

struct SlideLook {
  Rect region;            // that was analysed, working pixels
  double mpp = 0;         // of a working pixel; 0: not known
  io::Overview overview;  // of the region
  std::string problem;    // why there is no overview; empty: there is
  DensityMap density;
  std::vector<FeatureHistogram> histograms;  // by feature
};

inline constexpr int kHistogramBins = 40;

/// Reads the results once, and the slide as io::read_overview does. A slide that cannot be read is a problem; results
/// that cannot throw as ResultStore::open.
SlideLook look_at_slide(const std::filesystem::path& results, const std::vector<ShownFeature>& features);

/// Reduced to JPEG, as an address.
std::string picture_of(const io::Overview& overview);

}  // namespace starpath::pages
