// The text of a model of nuclei.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "base/model_text.hpp"
#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {
namespace {

using nlohmann::json;

constexpr const char* kFormatName = "starpath nucleus classifier";
constexpr int kFormatVersion = 1;
constexpr std::int64_t kMostCount = std::int64_t{1} << 40;  // of nuclei

std::string json_text(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

const json& member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw ModelFlaw{fmt::format("is damaged: '{}' is missing", name)};
  return object[name];
}

[[noreturn]] void refuse(const char* name) {
  throw ModelFlaw{fmt::format("is damaged: '{}' is not what it should be", name)};
}

const json& list(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_array()) refuse(name);
  return found;
}

std::string text(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_string()) refuse(name);
  return found.get<std::string>();
}

/// A whole number; of another type, or too large for one, it is refused.
std::int64_t whole(const json& value, const char* name, std::int64_t least, std::int64_t most) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
    refuse(name);
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most)
    throw ModelFlaw{fmt::format("is damaged: '{}' is {}, and {} to {} can be", name, number, least, most)};
  return number;
}

std::int64_t whole_of(const json& object, const char* name, std::int64_t least, std::int64_t most) {
  return whole(member(object, name), name, least, most);
}

double real(const json& object, const char* name) {
  const json& found = member(object, name);
  if (!found.is_number() || !std::isfinite(found.get<double>())) refuse(name);
  return found.get<double>();
}

void check_head(const json& root) {
  if (!root.is_object() || root.value("format", json()) != kFormatName)
    throw ModelFlaw{"is no classifier of nuclei; make one with `starpath classify train`"};
  if (const std::int64_t version = whole_of(root, "version", 0, INT64_MAX); version != kFormatVersion)
    throw ModelFlaw{
        fmt::format("has version {}, this starpath reads version {}; train it again", version, kFormatVersion)};
}

void read_features(const json& root, NucleusModel& model) {
  std::set<std::string> taken;
  for (const json& each : list(root, "features")) {
    ModelFeature feature{text(each, "name"), real(each, "mean"), real(each, "deviation")};
    if (!(feature.deviation > 0))
      throw ModelFlaw{fmt::format("is damaged: the deviation of {} is not above 0", json_text(feature.name))};
    if (feature.name.empty() || !taken.insert(feature.name).second)
      throw ModelFlaw{fmt::format("is damaged: feature {} is there twice, or has no name", json_text(feature.name))};
    model.features.push_back(std::move(feature));
  }
  if (model.features.empty() || model.features.size() > kMostPointNumbers)
    throw ModelFlaw{
        fmt::format("is damaged: it has {} features, and 1 to {} can be", model.features.size(), kMostPointNumbers)};
}

void read_samples(const json& of_class, const std::string& name, NucleusModel& model) {
  const json& samples = list(of_class, "samples");
  if (samples.empty()) throw ModelFlaw{fmt::format("is damaged: class {} has no sample", json_text(name))};
  for (const json& sample : samples) {
    if (!sample.is_array() || sample.size() != model.features.size())
      throw ModelFlaw{
          fmt::format("is damaged: a sample of class {} has not {} numbers", json_text(name), model.features.size())};
    for (const json& number : sample)
      model.points.push_back(static_cast<std::int16_t>(whole(number, "samples", -kPointLimit, kPointLimit)));
    model.labels.push_back(static_cast<std::uint8_t>(model.classes.size() - 1));
  }
}

void read_classes(const json& root, NucleusModel& model) {
  const json& classes = list(root, "classes");
  if (classes.size() < 2 || classes.size() > kMostClasses)
    throw ModelFlaw{fmt::format("is damaged: it has {} classes, and 2 to {} can be", classes.size(), kMostClasses)};
  std::set<std::string> taken;
  for (const json& each : classes) {
    NucleusClass known{text(each, "name"), static_cast<std::uint32_t>(whole_of(each, "colour", 0, 0xffffff))};
    if (known.name.empty() || !taken.insert(known.name).second)
      throw ModelFlaw{fmt::format("is damaged: class {} is there twice, or has no name", json_text(known.name))};
    if (is_reserved_class(known.name))
      throw ModelFlaw{
          fmt::format("has a class {}, as exports call nuclei that are out of range; give it another name "
                      "in QuPath and train it again",
                      json_text(known.name))};
    model.classes.push_back(known);
    read_samples(each, known.name, model);
  }
}

void read_validation(const json& root, NucleusModel& model) {
  const json& validation = member(root, "validation");
  model.validated_by = text(validation, "held_out");
  const json& rows = list(validation, "confusion");
  model.validation = Confusion(model.classes.size());
  if (rows.size() != model.classes.size()) refuse("confusion");
  for (std::size_t truth = 0; truth < rows.size(); ++truth) {
    if (!rows[truth].is_array() || rows[truth].size() != rows.size()) refuse("confusion");
    for (std::size_t said = 0; said < rows.size(); ++said)
      model.validation.add(truth, said, whole(rows[truth][said], "confusion", 0, kMostCount));
  }
}

NucleusModel model_of(const json& root) {
  check_head(root);
  NucleusModel model;
  model.mpp = real(root, "mpp");
  if (!(model.mpp >= 0 && model.mpp <= 100)) throw ModelFlaw{"is damaged: 'mpp' is no resolution"};
  read_features(root, model);
  read_classes(root, model);
  model.k = static_cast<int>(
      whole_of(root, "k", 1, std::min<std::int64_t>(kMostNeighbours, static_cast<std::int64_t>(model.samples()))));
  if (root.contains("range")) model.range = static_cast<std::uint32_t>(whole_of(root, "range", 0, UINT32_MAX));
  read_validation(root, model);
  for (const json& each : list(root, "slides"))
    model.slides.push_back({text(each, "name"), text(each, "fingerprint"), whole_of(each, "nuclei", 0, kMostCount)});
  return model;
}

void append_class(std::string& text, const NucleusModel& model, std::size_t number) {
  const NucleusClass& known = model.classes[number];
  fmt::format_to(std::back_inserter(text), "{{\"name\": {}, \"colour\": {}, \"samples\": [", json_text(known.name),
                 known.colour);
  const char* separator = "\n";
  const std::size_t numbers = model.features.size();
  for (std::size_t s = 0; s < model.samples(); ++s) {
    if (model.labels[s] != number) continue;
    fmt::format_to(std::back_inserter(text), "{} [{}]", separator,
                   fmt::join(std::span(model.points).subspan(s * numbers, numbers), ","));
    separator = ",\n";
  }
  text += "]}";
}

std::string validation_text(const NucleusModel& model) {
  std::string rows;
  for (std::size_t truth = 0; truth < model.validation.classes(); ++truth) {
    rows += truth == 0 ? "[" : ",[";
    for (std::size_t said = 0; said < model.validation.classes(); ++said)
      rows += fmt::format("{}{}", said == 0 ? "" : ",", model.validation.count(truth, said));
    rows += "]";
  }
  return fmt::format("{{\"held_out\": {}, \"confusion\": [{}]}}", json_text(model.validated_by), rows);
}

}  // namespace

std::string model_text(const NucleusModel& model) {
  std::string text = fmt::format(
      "{{\"format\": {}, \"version\": {},\n\"purpose\": \"research only: not for diagnosis\",\n\"mpp\": {}, \"k\": {},",
      json_text(kFormatName), kFormatVersion, model.mpp, model.k);
  if (model.range) text += fmt::format(" \"range\": {},", *model.range);
  const char* separator = "\n\"features\": [\n";
  for (const ModelFeature& feature : model.features) {
    text += fmt::format("{} {{\"name\": {}, \"mean\": {}, \"deviation\": {}}}", separator, json_text(feature.name),
                        feature.mean, feature.deviation);
    separator = ",\n";
  }
  separator = "],\n\"slides\": [";
  if (model.slides.empty()) text += separator;
  for (const TrainedSlide& slide : model.slides) {
    text += fmt::format("{}{{\"name\": {}, \"fingerprint\": {}, \"nuclei\": {}}}", separator, json_text(slide.name),
                        json_text(slide.fingerprint), slide.nuclei);
    separator = ",\n ";
  }
  text += "],\n\"validation\": " + validation_text(model) + ",\n\"classes\": [\n";
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    if (c > 0) text += ",\n";
    append_class(text, model, c);
  }
  return text + "]}\n";
}

NucleusModel parse_nucleus_model(const std::string& text, const std::string& name) {
  return parse_model_text(text, name, "classifier of nuclei", "make one with `starpath classify train`", model_of);
}

NucleusModel read_nucleus_model(const std::string& file) { return parse_nucleus_model(read_model_text(file), file); }

bool is_nucleus_model(const std::filesystem::path& file) { return is_model_file(file, kFormatName); }

}  // namespace starpath
