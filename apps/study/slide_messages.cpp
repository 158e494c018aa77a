// Notes to JSON and back.
#include "apps/study/slide_messages.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace starpath::apps {
namespace {

using nlohmann::json;

std::string text_of(const json& note) { return note.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class Value>
json json_of(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

template <class Value>
std::optional<Value> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<Value>());
}

/// A number that is not known is null in JSON.
double number_from(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

json json_of(const std::vector<io::FeatureSummary>& features) {
  json all = json::array();
  for (const io::FeatureSummary& each : features)
    all.push_back({each.feature, each.nuclei, each.mean, each.q1, each.median, each.q3});
  return all;
}

std::vector<io::FeatureSummary> features_from(const json& all) {
  std::vector<io::FeatureSummary> features;
  for (const json& each : all)
    features.push_back({each.at(0), each.at(1), number_from(each.at(2)), number_from(each.at(3)),
                        number_from(each.at(4)), number_from(each.at(5))});
  return features;
}

json json_of(const io::SlideSummary& summary) {
  json regions = json::array();
  for (const io::RegionSummary& each : summary.regions)
    regions.push_back({each.name, each.class_name, each.nuclei, each.area_mm2, json_of(each.features)});
  return {{"state", static_cast<int>(summary.state)},
          {"error", summary.error},
          {"nuclei", json_of(summary.nuclei)},
          {"left_out_eosin", json_of(summary.left_out_eosin)},
          {"tiles", json_of(summary.tiles)},
          {"tiles_background", json_of(summary.tiles_background)},
          {"tiles_failed", json_of(summary.tiles_failed)},
          {"width", json_of(summary.width)},
          {"height", json_of(summary.height)},
          {"mpp", json_of(summary.mpp)},
          {"mpp_source", summary.mpp_source},
          {"analysed_mm2", json_of(summary.analysed_mm2)},
          {"nuclei_per_mm2", json_of(summary.nuclei_per_mm2)},
          {"median_area_um2", json_of(summary.median_area_um2)},
          {"seconds", summary.seconds},
          {"parameters", summary.parameters},
          {"survey", summary.survey},
          {"file_state", summary.file_state},
          {"warnings", summary.warnings},
          {"features", json_of(summary.features)},
          {"regions", regions}};
}

io::SlideSummary summary_from(const json& note) {
  io::SlideSummary summary;
  summary.state = static_cast<io::SlideState>(note.at("state").get<int>());
  summary.error = note.at("error");
  for (const auto& [name, value] :
       {std::pair("nuclei", &summary.nuclei), std::pair("left_out_eosin", &summary.left_out_eosin),
        std::pair("tiles", &summary.tiles), std::pair("tiles_background", &summary.tiles_background),
        std::pair("tiles_failed", &summary.tiles_failed), std::pair("width", &summary.width),
        std::pair("height", &summary.height)})
    *value = optional_from<std::int64_t>(note.at(name));
  for (const auto& [name, value] :
       {std::pair("mpp", &summary.mpp), std::pair("analysed_mm2", &summary.analysed_mm2),
        std::pair("nuclei_per_mm2", &summary.nuclei_per_mm2), std::pair("median_area_um2", &summary.median_area_um2)})
    *value = optional_from<double>(note.at(name));
  summary.mpp_source = note.at("mpp_source");
  summary.seconds = note.at("seconds");
  summary.parameters = note.at("parameters");
  summary.survey = note.at("survey");
  summary.file_state = note.at("file_state");
  summary.warnings = note.at("warnings");
  summary.features = features_from(note.at("features"));
  for (const json& each : note.at("regions"))
    summary.regions.push_back({each.at(0), each.at(1), each.at(2), each.at(3), features_from(each.at(4))});
  return summary;
}

}  // namespace

std::string slides_text(const std::vector<io::StudySlide>& slides) {
  json all = json::array();
  for (const io::StudySlide& each : slides) all.push_back({each.path, each.folder, each.mpp, each.roi, each.exclude});
  return text_of(all);
}

std::vector<io::StudySlide> slides_from(const std::string& text) {
  std::vector<io::StudySlide> slides;
  for (const json& each : json::parse(text)) {
    io::StudySlide& slide = slides.emplace_back();
    slide.path = each.at(0);
    slide.folder = each.at(1);
    slide.mpp = each.at(2);
    slide.roi = each.at(3);
    slide.exclude = each.at(4);
  }
  return slides;
}

std::string begun_text(std::size_t slide) { return text_of({{"begun", slide}}); }

std::string update_text(std::size_t slide, const Progress& progress, const std::string& failure) {
  return text_of({{"update", slide},
                  {"tiles",
                   {progress.tiles_done, progress.tiles_failed, progress.tiles_skipped, progress.tiles_total,
                    progress.tiles_resumed, progress.found}},
                  {"note", progress.note},
                  {"news", progress.news},
                  {"failure", failure}});
}

std::string finished_text(std::size_t slide, const SlideOutcome& outcome) {
  json failed = json::array();
  for (const auto& file : outcome.failed_exports) failed.push_back(file.string());
  return text_of({{"finished", slide},
                  {"summary", json_of(outcome.summary)},
                  {"failed_exports", failed},
                  {"refused", outcome.refused}});
}

SlideNote note_from(const std::string& text) {
  const json note = json::parse(text);
  if (note.contains("begun")) return {note["begun"].get<std::size_t>()};
  if (note.contains("update")) {
    SlideNote update{note["update"].get<std::size_t>(), SlideNote::Kind::update};
    const json& tiles = note.at("tiles");
    update.progress.tiles_done = tiles.at(0);
    update.progress.tiles_failed = tiles.at(1);
    update.progress.tiles_skipped = tiles.at(2);
    update.progress.tiles_total = tiles.at(3);
    update.progress.tiles_resumed = tiles.at(4);
    update.progress.found = tiles.at(5);
    update.progress.note = note.at("note");
    update.progress.news = note.at("news").get<std::vector<std::string>>();
    update.failure = note.at("failure");
    return update;
  }
  SlideNote finished{note.at("finished").get<std::size_t>(), SlideNote::Kind::finished};
  finished.outcome.summary = summary_from(note.at("summary"));
  finished.outcome.refused = note.at("refused");
  for (const json& file : note.at("failed_exports"))
    finished.outcome.failed_exports.emplace_back(file.get<std::string>());
  return finished;
}

}  // namespace starpath::apps
