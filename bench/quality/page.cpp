// Pictures, paths and numbers into the page's data.
#include "bench/quality/page.hpp"

#include "bench/quality/page_files.hpp"
#include "io/exports/picture.hpp"
#include "io/outlines/svg_path.hpp"

namespace starpath::quality {
namespace {

nlohmann::json numbers_of(const SegmentationQuality& q) {
  return {{"dice", q.dice},
          {"aji", q.aji},
          {"f1", q.f1},
          {"pq", q.pq},
          {"truth", q.truth_objects},
          {"found", q.predicted_objects},
          {"matches", q.matches}};
}

}  // namespace

nlohmann::json page_case(const Score& score, const Case& shown) {
  nlohmann::json panels = nlohmann::json::array();
  panels.push_back({{"title", "truth"}, {"path", io::svg_outlines(shown.truth.view())}});
  panels.push_back(
      {{"title", "starpath"}, {"path", io::svg_outlines(shown.ours.view())}, {"numbers", numbers_of(score.ours)}});
  if (shown.baseline && score.baseline)
    panels.push_back({{"title", "scikit-image"},
                      {"path", io::svg_outlines(shown.baseline->view())},
                      {"numbers", numbers_of(*score.baseline)}});
  return {{"name", score.name},
          {"width", shown.rgb.width()},
          {"height", shown.rgb.height()},
          {"picture", io::data_uri("image/png", io::png_bytes(shown.rgb.view()))},
          {"panels", panels}};
}

std::string quality_page(const std::vector<Scores>& scores, const std::vector<std::vector<nlohmann::json>>& cases) {
  nlohmann::json sections = nlohmann::json::array();
  for (std::size_t i = 0; i < scores.size(); ++i)
    sections.push_back({{"setting", scores[i].setting},
                        {"images", scores[i].images.size()},
                        {"table", table_header() + table_of(scores[i])},
                        {"cases", cases[i]}});
  return inline_page(
      kQualityPage, "quality",
      nlohmann::json{{"sections", sections}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace starpath::quality
