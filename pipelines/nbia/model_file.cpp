// The text of a model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/model_text.hpp"
#include "pipelines/nbia/decision.hpp"
#include "pipelines/nbia/model.hpp"

namespace starpath {

extern const char* const kBundledModelText;  // made by the build from bundled_model.json

namespace {

constexpr const char* kFormatName = "starpath nbia model";
constexpr int kFormatVersion = 2;  // 1: without ranges and cross-validation; is read too

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

void append_samples(std::string& text, const NbiaLevel& level, NbiaLabel label) {
  fmt::format_to(std::back_inserter(text), ",\n \"{}\": [", label_name(label));
  const char* separator = "\n";
  for (std::size_t i = 0; i < level.labels.size(); ++i) {
    if (level.labels[i] != label) continue;
    std::vector<int> row;
    for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) row.push_back(level.z[f * level.labels.size() + i]);
    fmt::format_to(std::back_inserter(text), "{}  [{}]", separator, fmt::join(row, ","));
    separator = ",\n";
  }
  text += "]";
}

const nlohmann::json& member(const nlohmann::json& object, std::string_view name) {
  if (!object.is_object() || !object.contains(name)) throw ModelFlaw{fmt::format("is damaged: '{}' is missing", name)};
  return object[name];
}

template <class T>
T value(const nlohmann::json& object, std::string_view name) {
  try {
    return member(object, name).get<T>();
  } catch (const nlohmann::json::exception&) {
    throw ModelFlaw{fmt::format("is damaged: '{}' is not what it should be", name)};
  }
}

void check_head(const nlohmann::json& root) {
  if (!root.is_object() || root.value("format", nlohmann::json()) != kFormatName)
    throw ModelFlaw{"is no NBIA model; make one with `starpath nbia train`"};
  if (const int version = value<int>(root, "version"); version < 1 || version > kFormatVersion)
    throw ModelFlaw{
        fmt::format("has version {}, this starpath reads versions 1 to {}; train it again", version, kFormatVersion)};
  const auto definition = value<std::string>(root, "definition");
  if (definition != nbia_definition())
    throw ModelFlaw{
        fmt::format("was trained with another definition of the features ({}, this starpath has {}); train it again",
                    definition, nbia_definition())};
}

NbiaValidation validation_of(const nlohmann::json& object) {
  const NbiaValidation read{value<std::int64_t>(object, "fields"), value<std::int64_t>(object, "right"),
                            value<std::int64_t>(object, "decided"), value<std::int64_t>(object, "decided_right"),
                            value<std::int64_t>(object, "last_right")};
  const bool sound = 0 <= read.right && read.right <= read.fields && read.decided <= read.fields &&
                     0 <= read.decided_right && read.decided_right <= read.decided && 0 <= read.last_right &&
                     read.last_right <= read.decided;
  if (!sound) throw ModelFlaw{"is damaged: 'validation' holds counts that cannot be"};
  return read;
}

/// The members that version 2 adds to a level.
void read_checks(const nlohmann::json& object, NbiaLevel& level) {
  if (object.contains("range")) level.range = value<std::int32_t>(object, "range");
  if (level.range.value_or(0) < 0) throw ModelFlaw{"is damaged: 'range' is negative"};
  if (object.contains("validation")) level.validation = validation_of(object["validation"]);
  if (object.contains("used")) level.used = value<bool>(object, "used");
}

NbiaLevel level_of(const nlohmann::json& object) {
  NbiaLevel level;
  level.side = value<int>(object, "side");
  read_checks(object, level);
  level.mean = value<std::vector<double>>(object, "mean");
  level.deviation = value<std::vector<double>>(object, "deviation");
  if (level.mean.size() != kNbiaFeatureCount || level.deviation.size() != kNbiaFeatureCount)
    throw ModelFlaw{fmt::format("is damaged: level {} has not {} features", level.side, kNbiaFeatureCount)};
  const auto finite = [](double number) { return std::isfinite(number); };
  const auto positive = [](double number) { return std::isfinite(number) && number > 0; };
  if (!std::ranges::all_of(level.mean, finite) || !std::ranges::all_of(level.deviation, positive))
    throw ModelFlaw{fmt::format("is damaged: level {} has a mean or a deviation that cannot be", level.side)};
  std::vector<std::vector<int>> rows;
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor}) {
    const auto samples = value<std::vector<std::vector<int>>>(object, label_name(label));
    if (samples.empty())
      throw ModelFlaw{
          fmt::format("has no sample of {} at level {}; train it with fields of both", label_name(label), level.side)};
    rows.insert(rows.end(), samples.begin(), samples.end());
    level.labels.insert(level.labels.end(), samples.size(), label);
  }
  if (rows.size() < kNbiaNeighbours)
    throw ModelFlaw{
        fmt::format("has {} samples at level {}; at least {} are needed", rows.size(), level.side, kNbiaNeighbours)};
  level.z.resize(kNbiaFeatureCount * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != kNbiaFeatureCount)
      throw ModelFlaw{fmt::format("is damaged: a sample of level {} has {} numbers", level.side, rows[i].size())};
    for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
      if (rows[i][f] < -kNbiaZLimit || rows[i][f] > kNbiaZLimit)
        throw ModelFlaw{fmt::format("is damaged: a sample holds {}", rows[i][f])};
      level.z[f * rows.size() + i] = static_cast<std::int16_t>(rows[i][f]);
    }
  }
  return level;
}

std::vector<std::string> digests_of(const nlohmann::json& root) {
  auto digests = value<std::vector<std::string>>(root, "trained_on");
  const auto is_digest = [](const std::string& text) {
    return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  };
  if (!std::ranges::all_of(digests, is_digest) || !std::ranges::is_sorted(digests))
    throw ModelFlaw{"is damaged: 'trained_on' holds other things than digests in their order"};
  return digests;
}

NbiaModel model_of(const nlohmann::json& root) {
  check_head(root);
  NbiaModel model;
  model.origin = value<std::string>(root, "origin");
  model.mpp = value<double>(root, "mpp");
  if (!(model.mpp > 0 && model.mpp <= 100)) throw ModelFlaw{"is damaged: 'mpp' is no resolution"};
  std::vector<int> sides;
  for (const nlohmann::json& level : member(root, "levels")) {
    model.levels.push_back(level_of(level));
    sides.push_back(model.levels.back().side);
  }
  if (root.contains("validated_by")) model.validated_by = value<std::string>(root, "validated_by");
  if (root.contains("trained_on")) model.trained_on = digests_of(root);
  try {
    check_levels(sides);
  } catch (const Error& error) {
    throw ModelFlaw{fmt::format("is damaged: {}", error.what())};
  }
  if (!model.levels.back().used) throw ModelFlaw{"is damaged: its last level is not used"};
  return model;
}

}  // namespace

namespace {

std::string trained_text(const NbiaModel& model) {
  if (model.trained_on.empty()) return "";
  return fmt::format(",\n\"trained_on\": [\n  \"{}\"]", fmt::join(model.trained_on, "\",\n  \""));
}

std::string checks_text(const NbiaLevel& level) {
  std::string text;
  if (level.range) text += fmt::format(", \"range\": {}", *level.range);
  if (!level.validation) return text;
  const NbiaValidation& v = *level.validation;
  return text + fmt::format(
                    ", \"used\": {},\n \"validation\": {{\"fields\": {}, \"right\": {}, \"decided\": {}, "
                    "\"decided_right\": {}, \"last_right\": {}}}",
                    level.used, v.fields, v.right, v.decided, v.decided_right, v.last_right);
}

}  // namespace

std::string model_text(const NbiaModel& model) {
  std::string text = fmt::format(
      "{{\"format\": {}, \"version\": {},\n\"purpose\": \"research only: not for diagnosis\",\n\"definition\": "
      "\"{}\",\n"
      "\"origin\": {}, \"mpp\": {},{}\n\"levels\": [",
      quoted(kFormatName), kFormatVersion, nbia_definition(), quoted(model.origin), model.mpp,
      model.validated_by.empty() ? "" : fmt::format(" \"validated_by\": {},", quoted(model.validated_by)));
  const char* separator = "\n";
  for (const NbiaLevel& level : model.levels) {
    fmt::format_to(std::back_inserter(text), "{}{{\"side\": {}{},\n \"mean\": [{}],\n \"deviation\": [{}]", separator,
                   level.side, checks_text(level), fmt::join(level.mean, ","), fmt::join(level.deviation, ","));
    append_samples(text, level, NbiaLabel::stroma_rich);
    append_samples(text, level, NbiaLabel::stroma_poor);
    text += "}";
    separator = ",\n";
  }
  return text + "]" + trained_text(model) + "}\n";
}

NbiaModel parse_model(const std::string& text, const std::string& name) {
  return parse_model_text(text, name, "NBIA model", "make one with `starpath nbia train`", model_of);
}

NbiaModel read_model(const std::string& file) { return parse_model(read_model_text(file), file); }

bool is_nbia_model(const std::filesystem::path& file) { return is_model_file(file, kFormatName); }

const NbiaModel& bundled_model() {
  static const NbiaModel model = parse_model(kBundledModelText, "the bundled model");
  return model;
}

}  // namespace starpath
