// The data of the page.
#include "pages/preview/preview_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/exports/picture.hpp"
#include "io/slides/resolution.hpp"
#include "pages/preview/page_files.hpp"
#include "pipelines/segmentation/parameter_table.hpp"

namespace starpath::pages {
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
  if (const auto scores = scores_of(said)) {
    said.nucleus_score = scores->nucleus;
    said.core_score = scores->core;
  }
  return value_of(row, said);
}

/// Of a level that is left to the slide: the survey, if there was one. Scores are left to the network.
std::string origin_of(const SlidePreview& facts, std::size_t row) {
  if (value_of(parameter_table()[row], facts.request.parameters) != "auto") return facts.origins[row];
  if (parameter_table()[row].unit == "score") return "network";
  return facts.found.survey ? "survey" : "fixed";
}

nlohmann::json parameters_json(const SlidePreview& facts) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < parameter_table().size(); ++i) {
    const ParameterRow& row = parameter_table()[i];
    all.push_back({{"name", row.name},
                   {"value", value_used(row, facts.found.options)},
                   {"unit", row.unit},
                   {"origin", origin_of(facts, i)},
                   {"meaning", row.meaning}});
  }
  return all;
}

std::string resolution_text(const SlidePreview& facts) {
  return fmt::format("{}; segmented at {:.4g} um/px", text_of(facts.request.resolution), facts.grid.mpp());
}

std::vector<std::string> survey_of(const SlidePreview& facts) {
  return facts.found.survey ? describe(*facts.found.survey) : std::vector<std::string>{};
}

/// In level-0 pixels.
nlohmann::json place_of(const Rect& rect, double scale) {
  const auto up = [&](std::int64_t value) { return std::llround(static_cast<double>(value) * scale); };
  return {{"x", up(rect.x)}, {"y", up(rect.y)}, {"width", up(rect.width)}, {"height", up(rect.height)}};
}

nlohmann::json variants_of(const SlidePreview& facts, const PreviewField& field, bool outlines) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t v = 0; v < field.variants.size(); ++v) {
    const FieldNuclei& found = field.variants[v];
    nlohmann::json one = {{"label", facts.request.variants[v].label}};
    if (!found.refused.empty()) {
      one["refused"] = found.refused;
    } else {
      one.update({{"nuclei", found.count}, {"median_area_px", found.median_area}});
      if (facts.request.resolution.known())
        one["median_area_um2"] = found.median_area * facts.grid.mpp() * facts.grid.mpp();
    }
    if (outlines) one["path"] = found.outlines;
    all.push_back(std::move(one));
  }
  return all;
}

/// A field's data for the page: its place in the slide and in the overview, its picture, what was found.
nlohmann::json field_of(const SlidePreview& facts, const PreviewField& field) {
  const io::Overview& overview = facts.overview;
  const auto in_overview = [&](std::int64_t value, std::int64_t origin) {
    return static_cast<double>(value - origin) / overview.reduction;
  };
  return {{"place", place_of(field.rect, facts.grid.scale())},
          {"mark",
           {{"x", in_overview(field.rect.x, overview.region.x)},
            {"y", in_overview(field.rect.y, overview.region.y)},
            {"width", in_overview(field.rect.width, 0)},
            {"height", in_overview(field.rect.height, 0)}}},
          {"width", field.rect.width},
          {"height", field.rect.height},
          {"picture", io::data_uri("image/jpeg", io::jpeg_bytes(field.view(), kFieldQuality))},
          {"variants", variants_of(facts, field, true)}};
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

nlohmann::json stains_of(const SlidePreview& facts) {
  const StainVectors& stains = facts.found.options.stains;
  const auto stain = [](const char* name, const std::array<int, 3>& d) -> nlohmann::json {
    const double length = std::hypot(d[0], d[1], d[2]);
    return {{"name", name},
            {"colour", swatch(d)},
            {"densities", fmt::format("{:.2f}, {:.2f}, {:.2f}", d[0] / length, d[1] / length, d[2] / length)}};
  };
  return {stain("haematoxylin", stains.haematoxylin), stain("eosin", stains.eosin)};
}

nlohmann::json histograms_of(const SlidePreview& facts) {
  const StainLevels levels = levels_beside(facts.found.options.parameters, facts.found.options.levels);
  const SegmentationParameters& said = facts.found.options.parameters;
  return {{{"title", facts.found.differences_surveyed
                         ? "Difference image (operation 4), tissue of all fields of the survey"
                         : "Difference image (operation 4), pixels of the fields above that are not glass"},
           {"counts", facts.found.differences},
           {"levels",
            {{{"name", "G2"}, {"value", said.nucleus_level.value_or(levels.nucleus)}},
             {{"name", "G1"}, {"value", said.seed_level.value_or(levels.seed)}}}},
           {"note",
            "With --detector levels, what lies above G1 makes a nucleus, which reaches as far as what lies above G2."}},
          {{"title", "Least channel of each pixel of the fields above"},
           {"counts", darkest_of(facts.found.fields)},
           {"levels", {{{"name", "background"}, {"value", said.background_level.value_or(levels.background)}}}},
           {"note", "Above the level background lies glass."}}};
}

nlohmann::json overview_of(const SlidePreview& facts) {
  const io::Overview& overview = facts.overview;
  return {{"width", overview.width},
          {"height", overview.height},
          {"picture", io::data_uri("image/jpeg", io::jpeg_bytes(overview.view(), kOverviewQuality))}};
}

}  // namespace

std::vector<std::string> warnings_of(const SlidePreview& facts) {
  std::vector<std::string> warnings;
  if (std::string doubt = resolution_warning(facts.request.resolution); !doubt.empty())
    warnings.push_back(std::move(doubt));
  if (facts.found.survey)
    warnings.insert(warnings.end(), facts.found.survey->warnings.begin(), facts.found.survey->warnings.end());
  std::ranges::move(facts.slide->warnings(), std::back_inserter(warnings));
  const bool nothing = std::ranges::all_of(facts.found.fields,
                                           [](const PreviewField& field) { return field.variants.front().count == 0; });
  if (nothing)
    warnings.emplace_back(
        "No nucleus in any field with these parameters: lower core_score (with --detector levels G1 and G2, see the "
        "histogram), or check the resolution.");
  return warnings;
}

nlohmann::json summary_of(const SlidePreview& facts, const std::string& page, double seconds) {
  nlohmann::json fields = nlohmann::json::array();
  for (const PreviewField& field : facts.found.fields) {
    fields.push_back(place_of(field.rect, facts.grid.scale()));
    fields.back()["variants"] = variants_of(facts, field, false);
  }
  return {{"event", "summary"},
          {"page", page},
          {"slide", facts.slide->info().path},
          {"resolution", resolution_text(facts)},
          {"warnings", warnings_of(facts)},
          {"survey", survey_of(facts)},
          {"parameters", parameters_json(facts)},
          {"fields", fields},
          {"seconds", seconds}};
}

std::string page_of(const SlidePreview& facts) {
  nlohmann::json fields = nlohmann::json::array(), variants = nlohmann::json::array();
  for (const PreviewField& field : facts.found.fields) fields.push_back(field_of(facts, field));
  for (const Variant& variant : facts.request.variants) variants.push_back(variant.label);
  const bool measured = facts.request.resolution.known();
  const nlohmann::json data = {
      {"slide",
       {{"path", facts.slide->info().path},
        {"format", facts.slide->info().format},
        {"width", facts.slide->info().width()},
        {"height", facts.slide->info().height()}}},
      {"resolution", resolution_text(facts)},
      {"warnings", warnings_of(facts)},
      {"survey", survey_of(facts)},
      {"stains", stains_of(facts)},
      {"histograms", histograms_of(facts)},
      {"parameters", parameters_json(facts)},
      {"overview", overview_of(facts)},
      {"pixel_um2", measured ? facts.grid.mpp() * facts.grid.mpp() : 0},
      {"variants", variants},
      {"fields", fields},
  };
  return inline_page(kPreviewPage, "preview", data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace starpath::pages
