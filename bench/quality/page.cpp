// Pictures, paths and numbers into the page's data.
#include "bench/quality/page.hpp"

#include <algorithm>

#include "bench/quality/page_files.hpp"
#include "io/exports/picture.hpp"
#include "io/outlines/svg_path.hpp"

namespace starpath::quality {
namespace {

/// Marks the 8-connected pixels of the label at (x, y).
void mark_object(View<const std::int32_t> labels, int x, int y, std::vector<bool>& seen) {
  const std::int32_t label = labels.at(x, y);
  const auto index = [&](int px, int py) { return static_cast<std::size_t>(py) * labels.width + px; };
  std::vector<io::Point> open{{x, y}};
  seen[index(x, y)] = true;
  while (!open.empty()) {
    const io::Point at = open.back();
    open.pop_back();
    for (int py = std::max(at.y - 1, 0); py <= std::min(at.y + 1, labels.height - 1); ++py)
      for (int px = std::max(at.x - 1, 0); px <= std::min(at.x + 1, labels.width - 1); ++px) {
        if (labels.at(px, py) != label || seen[index(px, py)]) continue;
        seen[index(px, py)] = true;
        open.push_back({px, py});
      }
  }
}

/// The outlines of all objects, as one path: 8-connected pixels of one positive label are an object. Holes are not
/// drawn.
std::string svg_outlines(View<const std::int32_t> labels) {
  std::string path;
  std::vector<bool> seen(static_cast<std::size_t>(labels.pixels()));
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x) {
      if (labels.at(x, y) <= 0 || seen[static_cast<std::size_t>(y) * labels.width + x]) continue;
      io::append_svg_path(io::trace_contour(labels, labels.at(x, y), x, y), 0, 0, path);
      mark_object(labels, x, y, seen);
    }
  return path;
}

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
  panels.push_back({{"title", "truth"}, {"path", svg_outlines(shown.truth.view())}});
  panels.push_back(
      {{"title", "starpath"}, {"path", svg_outlines(shown.ours.view())}, {"numbers", numbers_of(score.ours)}});
  if (shown.baseline && score.baseline)
    panels.push_back({{"title", "scikit-image"},
                      {"path", svg_outlines(shown.baseline->view())},
                      {"numbers", numbers_of(*score.baseline)}});
  return {{"name", score.name},
          {"width", shown.rgb.width()},
          {"height", shown.rgb.height()},
          {"picture", io::data_uri("image/jpeg", io::jpeg_bytes(shown.rgb.view(), 95))},
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
