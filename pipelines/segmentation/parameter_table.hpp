// Every parameter of the segmentation in one table: what users may say, what is checked, what is stored.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "pipelines/segmentation/parameters.hpp"

namespace starpath {

/// Where a parameter's value is kept. Levels may be left to the slide: "auto".
using ParameterMember = std::variant<std::optional<int> SegmentationParameters::*, double SegmentationParameters::*>;

struct ParameterRow {
  std::string_view name, unit;
  double least, most;  // both are allowed
  ParameterMember member;
  std::string_view meaning;
  std::string_view source;                       // of the value in the preset "paper"
  std::optional<Detection> only = std::nullopt;  // the detector that looks at it; none: both do
};

std::span<const ParameterRow> parameter_table();

/// A number, or "auto".
nlohmann::json value_of(const ParameterRow& row, const SegmentationParameters& parameters);

/// Takes what value_of gives, and numbers written as text. Throws Error{usage}, one line: an unknown name (with the
/// nearest one), no number, out of range (with the range).
void set_parameter(SegmentationParameters& parameters, std::string_view name, const nlohmann::json& value);

/// Throws Error{usage} when parameters contradict each other: G1 < G2, red_high < red_low, a minimum that is not below
/// its maximum. `levels` are those of the slide, where the parameters leave them out.
void check_parameters(const SegmentationParameters& parameters, const StainLevels& levels);

/// Name to value, of all: part of what identifies a run. Equal parameters give the same text.
nlohmann::json parameters_json(const SegmentationParameters& parameters);

/// A set of values that has been measured, under a name.
struct ParameterPreset {
  std::string_view name, about;
  SegmentationParameters parameters;
};

/// "default" first.
std::span<const ParameterPreset> parameter_presets();

/// Throws Error{usage} that names the nearest one.
const ParameterRow& parameter_row(std::string_view name);

/// Throws Error{usage} that names those that there are.
const SegmentationParameters& parameter_preset(std::string_view name);

}  // namespace starpath
