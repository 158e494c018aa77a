// Sums and quartiles over the nuclei of a slide.
#include "pipelines/study/slide_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/pure/quartiles.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"

namespace starpath {
namespace {

io::FeatureSummary summary_of(const std::string& feature, std::vector<double>& numbers) {
  const Quartiles found = quartiles(numbers);
  return {feature, found.count, found.mean, found.q1, found.median, found.q3};
}

/// By group: those of the nuclei that `group_of` puts into it, from 0.
template <class GroupOf>
std::vector<std::vector<io::FeatureSummary>> summarise_groups(const io::ResultStore& store, std::size_t groups,
                                                              std::size_t memory, const GroupOf& group_of) {
  const std::vector<std::string> names = store.info().feature_names;
  const io::NucleusStore stored(store);
  const auto nuclei = static_cast<std::size_t>(stored.nucleus_count());
  const std::size_t at_once = std::max<std::size_t>(1, memory / std::max<std::size_t>(1, nuclei * sizeof(double)));
  std::vector<std::vector<io::FeatureSummary>> summaries(groups);
  for (std::size_t begin = 0; begin < names.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, names.size() - begin);
    std::vector<std::vector<double>> columns(count * groups);
    stored.for_each_nucleus(true, [&](std::int64_t, const io::NucleusRecord& nucleus) {
      const auto first = static_cast<std::size_t>(group_of(nucleus)) * count;
      for (std::size_t i = 0; i < count; ++i)
        if (const double number = nucleus.features[begin + i]; std::isfinite(number))
          columns[first + i].push_back(number);
    });
    for (std::size_t group = 0; group < groups; ++group)
      for (std::size_t i = 0; i < count; ++i)
        summaries[group].push_back(summary_of(names[begin + i], columns[group * count + i]));
  }
  return summaries;
}

void summarise_regions(const io::ResultStore& store, double slide_mpp, io::SlideSummary& summary) {
  const std::vector<io::RegionRecord> regions = io::GroupStore(store).regions();
  if (regions.empty()) return;
  auto features = summarise_groups(store, regions.size(), kSummaryMemory,
                                   [](const io::NucleusRecord& nucleus) { return nucleus.region - 1; });
  for (std::size_t i = 0; i < regions.size(); ++i)
    summary.regions.push_back({regions[i].name, regions[i].class_name, regions[i].nuclei,
                               regions[i].pixels * slide_mpp * slide_mpp * 1e-6, std::move(features[i])});
}

}  // namespace

std::vector<io::FeatureSummary> summarise_features(const io::ResultStore& store, std::size_t memory) {
  return summarise_groups(store, 1, memory, [](const io::NucleusRecord&) { return 0; })[0];
}

void summarise_results(const io::ResultStore& store, bool missing, io::SlideSummary& summary) {
  const io::RunInfo info = store.info();
  summary.width = info.slide_width;
  summary.height = info.slide_height;
  summary.mpp_source = info.mpp_source;
  summary.parameters = store.key().parameters;
  std::int64_t pixels = 0, background = 0, failed = 0;
  const std::vector<io::TileRecord> tiles = io::TileStore(store).tiles();
  for (const io::TileRecord& tile : tiles) {
    background += tile.state == io::TileState::background;
    failed += tile.state == io::TileState::failed;
    pixels += tile.tissue;
  }
  summary.tiles = static_cast<std::int64_t>(tiles.size());
  summary.tiles_background = background;
  summary.tiles_failed = failed;
  const double square_micrometres = info.mpp * info.mpp;  // of a working pixel; 0: not known
  if (info.slide_mpp > 0) summary.mpp = info.slide_mpp;
  if (square_micrometres > 0) summary.analysed_mm2 = static_cast<double>(pixels) * square_micrometres * 1e-6;
  if (missing) return;
  const io::NucleusStore nuclei(store);
  summary.nuclei = nuclei.nucleus_count();
  summary.features = summarise_features(store);
  summarise_regions(store, info.slide_mpp, summary);
  if (info.slide_mpp > 0 && !summary.regions.empty()) {
    summary.analysed_mm2 = 0;
    for (const io::RegionSummary& region : summary.regions) *summary.analysed_mm2 += region.area_mm2;
  }
  if (square_micrometres == 0 || pixels == 0 || *summary.analysed_mm2 == 0) return;
  summary.nuclei_per_mm2 = static_cast<double>(*summary.nuclei) / *summary.analysed_mm2;
  std::vector<double> areas;
  nuclei.for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& n) { areas.push_back(n.area); });
  if (!areas.empty()) summary.median_area_um2 = quantile(areas, 0.5) * square_micrometres;
}

}  // namespace starpath
