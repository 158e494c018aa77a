// The data of the page.
#include "apps/preview/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/preview/page_files.hpp"
#include "io/exports/picture.hpp"
#include "pipelines/segmentation/parameter_table.hpp"

namespace starpath::apps {
namespace {

constexpr int kFieldQuality = 92, kOverviewQuality = 85;  // of JPEGs

/// The value a run would use: what a level left to the slide comes to.
nlohmann::json value_used(const ParameterRow& row, const SegmentationOptions& options) {
  nlohmann::json value = value_of(row, options.parameters);
  if (value != "auto") return value;
  SegmentationParameters said = options.parameters;
  const StainLevels levels = levels_beside(options.parameters, options.levels);
  said.background_level = levels.background;
  said.seed_level = levels.seed;
  said.nucleus_level = levels.nucleus;
  said.haematoxylin_level = levels.haematoxylin;
  return value_of(row, said);
}

bool is_said(const ParameterRow& row, const ParameterArguments& said) {
  return std::ranges::any_of(said.said,
                             [&](const std::string& text) { return text.substr(0, text.find('=')) == row.name; });
}

std::string origin_of(const ParameterRow& row, const Preview& preview) {
  if (value_of(row, preview.options.parameters) == "auto") return preview.levels_from;
  if (is_said(row, preview.said)) return "--set";
  if (value_of(row, preview.options.parameters) != value_of(row, parameter_preset(preview.said.preset)))
    return preview.said.file;
  return preview.said.preset == "default" ? "default" : "preset " + preview.said.preset;
}

nlohmann::json parameters_of(const Preview& preview) {
  nlohmann::json all = nlohmann::json::array();
  for (const ParameterRow& row : parameter_table())
    all.push_back({{"name", row.name},
                   {"value", value_used(row, preview.options)},
                   {"unit", row.unit},
                   {"origin", origin_of(row, preview)},
                   {"meaning", row.meaning}});
  return all;
}

/// In level-0 pixels.
nlohmann::json place_of(const Rect& rect, double scale) {
  const auto up = [&](std::int64_t value) { return std::llround(static_cast<double>(value) * scale); };
  return {{"x", up(rect.x)}, {"y", up(rect.y)}, {"width", up(rect.width)}, {"height", up(rect.height)}};
}

nlohmann::json variants_of(const Preview& preview, const PreviewField& field, bool outlines) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t v = 0; v < field.variants.size(); ++v) {
    const FieldNuclei& found = field.variants[v];
    nlohmann::json one = {{"label", preview.variants[v].label}};
    if (!found.refused.empty()) {
      one["refused"] = found.refused;
    } else {
      one.update({{"nuclei", found.count}, {"median_area_px", found.median_area}});
      if (preview.work_mpp > 0) one["median_area_um2"] = found.median_area * preview.work_mpp * preview.work_mpp;
    }
    if (outlines) one["path"] = found.outlines;
    all.push_back(std::move(one));
  }
  return all;
}

/// A field's data for the page: its place in the slide and in the overview, its picture, what was found.
nlohmann::json field_of(const Preview& preview, const PreviewField& field) {
  const Overview& overview = preview.overview;
  const auto in_overview = [&](std::int64_t value, std::int64_t origin) {
    return static_cast<double>(value - origin) / overview.reduction;
  };
  return {{"place", place_of(field.rect, preview.scale)},
          {"mark",
           {{"x", in_overview(field.rect.x, overview.region.x)},
            {"y", in_overview(field.rect.y, overview.region.y)},
            {"width", in_overview(field.rect.width, 0)},
            {"height", in_overview(field.rect.height, 0)}}},
          {"width", field.rect.width},
          {"height", field.rect.height},
          {"picture", io::data_uri("image/jpeg", io::jpeg_bytes(field.view(), kFieldQuality))},
          {"variants", variants_of(preview, field, true)}};
}

/// A stain at the density of a well stained nucleus, as "rgb(r,g,b)".
std::string swatch(const std::array<int, 3>& densities) {
  constexpr double strength = 0.7;
  const double length = std::hypot(densities[0], densities[1], densities[2]);
  const auto channel = [&](int density) {
    return static_cast<int>(std::lround(255 * std::pow(10.0, -strength * density / length)));
  };
  return fmt::format("rgb({},{},{})", channel(densities[0]), channel(densities[1]), channel(densities[2]));
}

nlohmann::json stains_of(const Preview& preview) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& d = preview.stains[i];
    const double length = std::hypot(d[0], d[1], d[2]);
    all.push_back({{"name", i == 0 ? "haematoxylin" : "eosin"},
                   {"colour", swatch(d)},
                   {"densities", fmt::format("{:.2f}, {:.2f}, {:.2f}", d[0] / length, d[1] / length, d[2] / length)}});
  }
  return all;
}

nlohmann::json histograms_of(const Preview& preview) {
  const StainLevels levels = levels_beside(preview.options.parameters, preview.options.levels);
  const SegmentationParameters& said = preview.options.parameters;
  return {{{"title", preview.differences_surveyed
                         ? "Difference image (operation 4), tissue of all fields of the survey"
                         : "Difference image (operation 4), pixels of the fields above that are not glass"},
           {"counts", preview.differences},
           {"levels",
            {{{"name", "G2"}, {"value", said.nucleus_level.value_or(levels.nucleus)}},
             {{"name", "G1"}, {"value", said.seed_level.value_or(levels.seed)}}}},
           {"note", "Above G1 lies what makes a nucleus; it reaches as far as what lies above G2."}},
          {{"title", "Least channel of each pixel of the fields above"},
           {"counts", darkest_of(preview.fields)},
           {"levels", {{{"name", "background"}, {"value", said.background_level.value_or(levels.background)}}}},
           {"note", "Above the level background lies glass."}}};
}

nlohmann::json overview_of(const Preview& preview) {
  const Overview& overview = preview.overview;
  return {{"width", overview.width},
          {"height", overview.height},
          {"picture", io::data_uri("image/jpeg", io::jpeg_bytes(overview.view(), kOverviewQuality))}};
}

}  // namespace

nlohmann::json summary_of(const Preview& preview, const std::string& page) {
  nlohmann::json fields = nlohmann::json::array();
  for (const PreviewField& field : preview.fields) {
    fields.push_back(place_of(field.rect, preview.scale));
    fields.back()["variants"] = variants_of(preview, field, false);
  }
  return {{"event", "summary"},
          {"page", page},
          {"slide", preview.slide.path},
          {"resolution", preview.resolution},
          {"warnings", preview.warnings},
          {"survey", preview.survey},
          {"parameters", parameters_of(preview)},
          {"fields", fields},
          {"seconds", preview.seconds}};
}

std::string page_of(const Preview& preview) {
  nlohmann::json fields = nlohmann::json::array(), variants = nlohmann::json::array();
  for (const PreviewField& field : preview.fields) fields.push_back(field_of(preview, field));
  for (const Variant& variant : preview.variants) variants.push_back(variant.label);
  const nlohmann::json data = {
      {"slide",
       {{"path", preview.slide.path},
        {"format", preview.slide.format},
        {"width", preview.slide.width()},
        {"height", preview.slide.height()}}},
      {"resolution", preview.resolution},
      {"warnings", preview.warnings},
      {"survey", preview.survey},
      {"stains", stains_of(preview)},
      {"histograms", histograms_of(preview)},
      {"parameters", parameters_of(preview)},
      {"overview", overview_of(preview)},
      {"pixel_um2", preview.work_mpp * preview.work_mpp},
      {"variants", variants},
      {"fields", fields},
  };
  return inline_page(kPreviewPage, "preview", data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace starpath::apps
