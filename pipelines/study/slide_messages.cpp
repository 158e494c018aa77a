// Notes to JSON and back.
#include "pipelines/study/slide_messages.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "io/study/slide_fields.hpp"

namespace starpath {
namespace {

using nlohmann::json;

std::string text_of(const json& note) { return note.dump(-1, ' ', false, json::error_handler_t::replace); }

// A value in JSON, and back; a number that is not known is null.
template <class Value>
json json_of(const Value& value) {
  return value;
}
template <class Value>
void read(const json& from, Value& value) {
  value = from.get<Value>();
}
void read(const json& from, double& value) {
  value = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
}

json json_of(io::SlideState state) { return static_cast<int>(state); }
void read(const json& from, io::SlideState& state) { state = static_cast<io::SlideState>(from.get<int>()); }

template <class Value>
json json_of(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}
template <class Value>
void read(const json& from, std::optional<Value>& value) {
  if (!from.is_null()) value = from.get<Value>();
}

json json_of(const std::vector<io::FeatureSummary>& features) {
  json all = json::array();
  for (const io::FeatureSummary& each : features)
    all.push_back({each.feature, each.nuclei, each.mean, each.q1, each.median, each.q3});
  return all;
}
void read(const json& from, std::vector<io::FeatureSummary>& features) {
  for (const json& each : from) {
    io::FeatureSummary& feature = features.emplace_back(io::FeatureSummary{each.at(0), each.at(1)});
    int at = 2;
    for (double* number : {&feature.mean, &feature.q1, &feature.median, &feature.q3}) read(each.at(at++), *number);
  }
}

json json_of(const std::vector<io::RegionSummary>& regions) {
  json all = json::array();
  for (const io::RegionSummary& each : regions)
    all.push_back({each.name, each.class_name, each.nuclei, each.area_mm2, json_of(each.features)});
  return all;
}
void read(const json& from, std::vector<io::RegionSummary>& regions) {
  for (const json& each : from) {
    io::RegionSummary& region =
        regions.emplace_back(io::RegionSummary{each.at(0), each.at(1), each.at(2), each.at(3), {}});
    read(each.at(4), region.features);
  }
}

json summary_json(const io::SlideSummary& summary) {
  json note;
  io::for_each_field(summary, [&](const char* name, const auto& value) { note[name] = json_of(value); });
  return note;
}

io::SlideSummary summary_from(const json& note) {
  io::SlideSummary summary;
  io::for_each_field(summary, [&](const char* name, auto& value) { read(note.at(name), value); });
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
                  {"summary", summary_json(outcome.summary)},
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

}  // namespace starpath
