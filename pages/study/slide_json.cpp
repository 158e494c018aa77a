// Fields of a slide, a picture and a spread.
#include "pages/study/slide_json.hpp"

#include <cmath>

#include "pages/study/page_json.hpp"
#include "pages/study/study_columns.hpp"

namespace starpath::pages {

using Json = nlohmann::json;

Json slide_json(const io::StudyRow& row, const std::string& column) {
  const io::SlideSummary& summary = row.summary;
  Json labels = Json::object(), regions = Json::array();
  for (const auto& [name, value] : row.slide.labels) labels[name] = value;
  for (const io::RegionSummary& region : summary.regions)
    regions.push_back({{"name", region.name},
                       {"class", region.class_name},
                       {"nuclei", region.nuclei},
                       {"mm2", region.area_mm2 > 0 ? number_json(region.area_mm2) : Json()}});
  return {{"folder", row.slide.folder},
          {"path", row.slide.path},
          {"patient", row.slide.patient},
          {"group", label_of(row.slide, column)},
          {"labels", labels},
          {"state", io::name_of(summary.state)},
          {"error", summary.error},
          {"warnings", summary.warnings},
          {"nuclei", number_json(summary.nuclei)},
          {"analysed_mm2", number_json(summary.analysed_mm2)},
          {"nuclei_per_mm2", number_json(summary.nuclei_per_mm2)},
          {"median_area_um2", number_json(summary.median_area_um2)},
          {"tiles", number_json(summary.tiles)},
          {"tiles_failed", number_json(summary.tiles_failed)},
          {"mpp", number_json(summary.mpp)},
          {"mpp_source", summary.mpp_source},
          {"seconds", summary.seconds},
          {"regions", regions}};
}

Json picture_json(const SlideLook& look) {
  const double wide = look.density.cell * look.density.columns, tall = look.density.cell * look.density.rows;
  const auto width = static_cast<double>(look.region.width), height = static_cast<double>(look.region.height);
  Json json = {{"width", look.region.width},
               {"height", look.region.height},
               {"density",
                {{"columns", look.density.columns},
                 {"rows", look.density.rows},
                 {"nuclei", look.density.nuclei},
                 {"cell_pixels", look.density.cell * look.density.cell},
                 {"cell_mm2", look.mpp > 0 ? number_json(std::pow(look.density.cell * look.mpp / 1000, 2)) : Json()},
                 {"wide", wide / width},
                 {"tall", tall / height}}}};
  if (look.problem.empty())
    json["href"] = picture_of(look.overview);
  else
    json["problem"] = look.problem;
  return json;
}

Json spread_json(const io::StudyRow& row, const ShownFeature& feature, const std::optional<SlideLook>& look,
                 std::size_t place) {
  const io::FeatureSummary* const summary = summary_of(row, feature.name);
  if (!look || summary == nullptr) return nullptr;
  const double factor = feature.factor(look->mpp);
  return {{"mean", factor * summary->mean},           {"q1", factor * summary->q1},
          {"median", factor * summary->median},       {"q3", factor * summary->q3},
          {"counts", look->histograms[place].counts}, {"outside", look->histograms[place].outside}};
}

}  // namespace starpath::pages
