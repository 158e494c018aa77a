// The table of parameters, and the presets.
#include "pipelines/segmentation/parameter_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/pure/parse_number.hpp"

namespace starpath {
namespace {

using P = SegmentationParameters;

constexpr double kMostArea = kAnyAreaUm2;
// No paper prints these numbers. github.com/SBU-BMI/nscale, src/segment/HistologicalEntities.cpp, has them, areas and
// lengths in pixels of 0.5 um.
constexpr std::string_view kAuthors = "code of the papers' authors: nscale";
constexpr std::string_view kMeasured = "ours: bench/results/quality.md";

constexpr Detection kLevels = Detection::levels, kLearned = Detection::learned;

constexpr std::array kTable = {
    ParameterRow{"background_level", "level", 0, 255, &P::background_level,
                 "glass is brighter than this in red, green and blue", kAuthors},
    ParameterRow{"glass_percent", "%", 1, 100, &P::glass_percent,
                 "a cell of 256 px, in which so much is glass, is left out; the rest of the default is the size of the "
                 "smallest nucleus",
                 kMeasured},
    ParameterRow{"red_high", "ratio", 1, 256, &P::red_high,
                 "red blood cells hold a pixel whose red is more than this times its green", kAuthors, kLevels},
    ParameterRow{"red_low", "ratio", 1, 256, &P::red_low,
                 "red blood cells reach as far as red is more than this times green", kAuthors, kLevels},
    ParameterRow{"haematoxylin_level", "density", 0, 255, &P::haematoxylin_level,
                 "a nucleus holds more haematoxylin than this (255 ln 10 / ln 255 of it let a tenth of the light "
                 "through); 0: no limit",
                 kMeasured, kLevels},
    ParameterRow{"opening_um", "um", 0.5, 16, &P::opening_um,
                 "what an octagon of this half width fits into is no nucleus but tissue around it", kMeasured, kLevels},
    ParameterRow{"reconstruction_um", "um", 0, 500, &P::reconstruction_um,
                 "how far the tissue around is followed; 0: not beyond the octagon",
                 "ours: the papers have no bound, which lets tiles change nuclei", kLevels},
    ParameterRow{"G1", "level", 0, 254, &P::seed_level,
                 "a nucleus has a core that is this much darker than the tissue around it", kAuthors, kLevels},
    ParameterRow{"seed_min_um2", "um2", 0, kMostArea, &P::seed_min_um2, "smallest core", kAuthors},
    ParameterRow{"seed_max_um2", "um2", 0, kMostArea, &P::seed_max_um2, "cores are smaller than this", kMeasured,
                 kLevels},
    ParameterRow{"G2", "level", 0, 254, &P::nucleus_level,
                 "a nucleus reaches as far as it is this much darker than the tissue around it", kAuthors, kLevels},
    ParameterRow{"local_um", "um", 0, 32, &P::local_um,
                 "half the width of the surroundings that raise G2 among crowded nuclei; 0: none do", kMeasured,
                 kLevels},
    ParameterRow{"local_weight", "share", 0, 1, &P::local_weight,
                 "a nucleus is above this share of its surroundings' mean and the rest of G2", kMeasured, kLevels},
    ParameterRow{"hole_max_um2", "um2", 0, kMostArea, &P::hole_max_um2,
                 "holes smaller than this are filled; 1000000: all that are enclosed", kMeasured},
    ParameterRow{"clump_min_um2", "um2", 0, kMostArea, &P::clump_min_um2,
                 "smallest object before touching nuclei are split", kAuthors, kLevels},
    ParameterRow{"grow_um", "um", 0, 4, &P::grow_um, "how far objects grow before touching nuclei are split", kMeasured,
                 kLevels},
    ParameterRow{"smooth_um", "um", 0, 4, &P::smooth_um,
                 "over how much the distance from the outline is averaged before touching nuclei are split", kMeasured,
                 kLevels},
    ParameterRow{"split_um", "um", 0, 50, &P::split_um,
                 "nuclei are split where the way between their middles narrows by more than this on each side",
                 kMeasured, kLevels},
    ParameterRow{"min_area_um2", "um2", 0, kMostArea, &P::min_area_um2, "smallest nucleus", kMeasured},
    ParameterRow{"max_area_um2", "um2", 0, kMostArea, &P::max_area_um2, "nuclei are smaller than this", kAuthors},
    ParameterRow{"stain_check", "0 or 1", 0, 1, &P::stain_check,
                 "1: what holds more eosin than haematoxylin is no nucleus, where the survey found both stains in "
                 "several fields",
                 kMeasured},
    ParameterRow{
        "normalise", "0, 1, 2", 0, 2, &P::normalise,
        "1: features are measured on the colours that the slide would have with the stains, their strength and "
        "the glass of a reference, where the survey found the stains; 2: nuclei are found on these colours too",
        kMeasured},
    ParameterRow{
        "detector", "0, 1, 2", 0, 2, &P::detector,
        "0: nuclei are found by levels; 1: by a network that was trained on labelled images; 2: by the network "
        "of --network",
        kMeasured},
    ParameterRow{"nucleus_score", "score", 1, 255, &P::nucleus_score,
                 "a nucleus reaches as far as the network's score is at least this; 128 is even odds", kMeasured,
                 kLearned},
    ParameterRow{"core_score", "score", 1, 255, &P::core_score,
                 "a nucleus has a core where the network's score for the inside of nuclei is at least this", kMeasured,
                 kLearned},
};

/// What every operation did before parameters could be said.
const P kPaperParameters{
    .background_level = 220,
    .glass_percent = 90,
    .red_high = 5,
    .red_low = 4,
    .haematoxylin_level = 0,
    .opening_um = 4.5,
    .reconstruction_um = 96,
    .seed_level = 80,
    .seed_min_um2 = 2.75,
    .seed_max_um2 = 250,
    .nucleus_level = 45,
    .local_um = 0,
    .local_weight = 0,
    .hole_max_um2 = kAnyAreaUm2,
    .clump_min_um2 = 7.5,
    .grow_um = 0.5,
    .smooth_um = 0,
    .split_um = 0.5,
    .min_area_um2 = 5.25,
    .max_area_um2 = 250,
    .stain_check = 0,
    .normalise = 0,
    .detector = 0,
    .nucleus_score = {},
    .core_score = {},
};

/// A network finds the nuclei.
P default_parameters() {
  P parameters;
  parameters.detector = 1;
  return parameters;
}

const std::array kPresets = {
    ParameterPreset{"default", "what is used when nothing is said", default_parameters()},
    ParameterPreset{"paper", "fixed levels and sizes of the code of the papers' authors", kPaperParameters},
};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

bool may_be_auto(const ParameterRow& row) { return std::holds_alternative<std::optional<int> P::*>(row.member); }

/// How many letters must change to turn one name into the other, whatever their case.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      before = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, before + 1});
    }
  }
  return row.back();
}

std::string range_text(const ParameterRow& row) {
  const bool level = may_be_auto(row);
  return fmt::format("{} {} to {}{}{}", level ? "a whole number from" : "a number from", row.least, row.most,
                     level ? "" : fmt::format(" ({})", row.unit), level ? ", or auto" : "");
}

/// The number that is meant, or nothing.
std::optional<double> number_in(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return {};
  return parse_number<double>(value.get_ref<const std::string&>());
}

std::string spelled(const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// A value as it is told: a level that comes from the slide says so.
struct Said {
  std::string_view name;
  double value;
  bool from_the_slide = false;
  std::string text() const { return fmt::format("{}={}{}", name, value, from_the_slide ? " (auto)" : ""); }
};

void check_order(const Said& low, const Said& high, bool may_be_equal) {
  if (low.value < high.value || (may_be_equal && low.value == high.value)) return;
  refuse(fmt::format("{} and {} contradict each other: {} must be {} {}", low.text(), high.text(), low.name,
                     may_be_equal ? "at most" : "less than", high.name));
}

}  // namespace

std::span<const ParameterRow> parameter_table() { return kTable; }

const ParameterRow& parameter_row(std::string_view name) {
  const auto found = std::ranges::find(kTable, name, &ParameterRow::name);
  if (found != kTable.end()) return *found;
  const auto nearest =
      std::ranges::min_element(kTable, {}, [&](const ParameterRow& row) { return distance(row.name, name); });
  refuse(fmt::format("no parameter is called '{}'; did you mean '{}'? `starpath segment --show-parameters` lists them",
                     name, nearest->name));
}

nlohmann::json value_of(const ParameterRow& row, const P& parameters) {
  if (const auto* level = std::get_if<std::optional<int> P::*>(&row.member)) {
    const std::optional<int>& value = parameters.**level;
    return value ? nlohmann::json(*value) : nlohmann::json("auto");
  }
  return parameters.*std::get<double P::*>(row.member);
}

void set_parameter(P& parameters, std::string_view name, const nlohmann::json& value) {
  const ParameterRow& row = parameter_row(name);
  const auto* level = std::get_if<std::optional<int> P::*>(&row.member);
  if (level != nullptr && value == "auto") {
    (parameters.**level).reset();
    return;
  }
  const std::optional<double> number = number_in(value);
  const bool whole = number && std::nearbyint(*number) == *number;
  if (!number || !(*number >= row.least && *number <= row.most) || (level != nullptr && !whole))
    refuse(fmt::format("{}={} cannot be: {} takes {}", name, spelled(value), name, range_text(row)));
  if (level != nullptr)
    parameters.** level = static_cast<int>(*number);
  else
    parameters.*std::get<double P::*>(row.member) = *number;
}

void check_parameters(const P& parameters, const StainLevels& levels) {
  const auto level = [](std::string_view name, const std::optional<int>& said, int of_slide) {
    return Said{name, static_cast<double>(said.value_or(of_slide)), !said};
  };
  if (detection_by(parameters.detector) == Detection::network && !parameters.network)
    refuse("detector=2 is for a network of yours: say --network FILE.onnx");
  check_order(level("G2", parameters.nucleus_level, levels.nucleus), level("G1", parameters.seed_level, levels.seed),
              true);
  check_order({"red_low", parameters.red_low}, {"red_high", parameters.red_high}, true);
  check_order({"seed_min_um2", parameters.seed_min_um2}, {"seed_max_um2", parameters.seed_max_um2}, false);
  check_order({"min_area_um2", parameters.min_area_um2}, {"max_area_um2", parameters.max_area_um2}, false);
}

nlohmann::json parameters_json(const P& parameters) {
  nlohmann::json all;
  for (const ParameterRow& row : kTable) all[std::string(row.name)] = value_of(row, parameters);
  if (is_learned(parameters)) all["detector_weights"] = detector_digest(weights_of(parameters));
  if (has_network(parameters)) {
    all["network"] = parameters.network->network().digest;
    all["network_engine"] = network_engine();  // another one computes other numbers
  }
  return all;
}

std::span<const ParameterPreset> parameter_presets() { return kPresets; }

const P& parameter_preset(std::string_view name) {
  std::string names;
  for (const ParameterPreset& preset : kPresets) {
    if (preset.name == name) return preset.parameters;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
  }
  refuse(fmt::format("no preset is called '{}'; there are {}", name, names));
}

}  // namespace starpath
