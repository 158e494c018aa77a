// Parameters from a preset, a TOML file and single values.
#include "pipelines/segmentation/asked_parameters.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "pipelines/networks/network_trial.hpp"
#include "pipelines/segmentation/parameter_table.hpp"

namespace starpath {
namespace {

/// A number or a text; anything else as it is written, which no parameter takes.
nlohmann::json value_in(const toml::node& node) {
  if (const auto number = node.value<double>()) return *number;
  if (const auto text = node.value<std::string>()) return *text;
  std::ostringstream written;
  written << toml::node_view<const toml::node>(node);
  return written.str();
}

using Names = std::vector<std::string>;

void read_file_of_parameters(const std::string& path, SegmentationParameters& parameters, Names& names) {
  const std::string text = read_file(path, "--parameters takes a TOML file of lines like G1 = 60");
  try {
    for (const auto& [key, node] : toml::parse(text)) try {
        set_parameter(parameters, key.str(), value_in(node));
        names.emplace_back(key.str());
      } catch (const Error& error) {
        throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", path, node.source().begin.line, error.what()));
      }
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::input,
                fmt::format("{}:{}: is no TOML: {}", path, error.source().begin.line, error.description()));
  }
}

void read_said(const std::string& said, SegmentationParameters& parameters, Names& names) {
  const auto equals = said.find('=');
  if (equals == std::string::npos)
    throw Error(ErrorKind::usage,
                fmt::format("--set takes NAME=VALUE,..., like G1=60,min_area_um2=10; not '{}'", said));
  set_parameter(parameters, said.substr(0, equals), said.substr(equals + 1));
  names.push_back(said.substr(0, equals));
}

/// Sees to it that no parameter is said in vain.
void choose_detector(const AskedParameters& asked, const Names& names, SegmentationParameters& parameters) {
  const bool is_said = !asked.detector.empty() || std::ranges::find(names, "detector") != names.end();
  if (!asked.network.empty() && is_said)
    throw Error(ErrorKind::usage, "--network finds the nuclei in place of --detector: say one of the two");
  if (!asked.network.empty()) parameters.detector = 2;
  if (!asked.detector.empty()) parameters.detector = asked.detector == "learned" ? 1 : 0;
  std::string_view of_levels, of_networks;  // parameters that got another value, and that one kind alone looks at
  for (const std::string& name : names) {
    const ParameterRow& row = parameter_row(name);
    if (!row.only || value_of(row, parameters) == value_of(row, parameter_preset(asked.preset))) continue;
    (*row.only == Detection::levels ? of_levels : of_networks) = row.name;
  }
  if (!is_said && asked.network.empty() && of_networks.empty() && !of_levels.empty()) parameters.detector = 0;
  const bool by_levels = detection_by(parameters.detector) == Detection::levels;
  const std::string_view vain = by_levels ? of_networks : of_levels;
  if (vain.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("{} is a parameter of {}: say that, or leave {} out", vain,
                                            by_levels ? "networks (--detector learned)" : "--detector levels", vain));
}

}  // namespace

SegmentationParameters parameters_of(const AskedParameters& asked) {
  SegmentationParameters parameters = parameter_preset(asked.preset);
  Names names, changed;
  for (const std::string& change : asked.changed) read_said(change, parameters, changed);
  if (!asked.file.empty()) read_file_of_parameters(asked.file, parameters, names);
  for (const std::string& said : asked.said) read_said(said, parameters, names);
  if (!asked.of_maps) choose_detector(asked, names, parameters);
  if (!asked.weights.empty()) {
    if (!is_learned(parameters))
      throw Error(ErrorKind::usage,
                  "--detector-weights is for --detector learned, and this run finds nuclei by levels");
    parameters.weights = std::make_shared<LearnedDetector>(read_detector(asked.weights));
  }
  if (!asked.network.empty()) {
    parameters.network = std::make_shared<WorkerNetworks>(read_network(asked.network));
    if (has_stars(parameters) && (parameters.nucleus_score || parameters.core_score))
      throw Error(
          ErrorKind::usage,
          fmt::format("nucleus_score and core_score cannot be with {}, which gives polygons: its description has "
                      "the thresholds; leave them out",
                      asked.network));
    try_network(parameters.network->network());
  }
  return parameters;
}

std::vector<std::string> origins_of(const AskedParameters& asked, const SegmentationParameters& parameters) {
  std::vector<std::string> origins;
  for (const ParameterRow& row : parameter_table()) {
    const bool is_said = std::ranges::any_of(
        asked.said, [&](const std::string& text) { return text.substr(0, text.find('=')) == row.name; });
    const bool is_detector = row.name == "detector" && !asked.detector.empty();
    const bool is_network = row.name == "detector" && !asked.network.empty();
    const bool is_preset = value_of(row, parameters) == value_of(row, parameter_preset(asked.preset));
    origins.push_back(is_detector                 ? "--detector"
                      : is_network                ? "--network"
                      : is_said                   ? "--set"
                      : !is_preset                ? (asked.file.empty() ? "parameters of the levels" : asked.file)
                      : asked.preset == "default" ? "default"
                                                  : "preset " + asked.preset);
  }
  return origins;
}

}  // namespace starpath
