// Options of parameters, and the table of them.
#include "apps/segment/parameter_options.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "pipelines/segmentation/parameter_table.hpp"

namespace starpath::apps {
namespace {

std::string spelled(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : fmt::format("{}", value.is_number() ? value.get<double>() : 0.0);
}

void print_table(const SegmentationParameters& parameters) {
  const SegmentationParameters& paper = parameter_preset("paper");
  print_out("{:<18} {:>8} {:>8}  {:<6} {:<12} {}\n", "NAME", "VALUE", "PAPER", "UNIT", "RANGE",
            "MEANING [SOURCE OF THE VALUE IN THE PAPER PRESET]");
  for (const ParameterRow& row : parameter_table())
    print_out("{:<18} {:>8} {:>8}  {:<6} {:<12} {} [{}]\n", row.name, spelled(value_of(row, parameters)),
              spelled(value_of(row, paper)), row.unit, fmt::format("{}..{}", row.least, row.most), row.meaning,
              row.source);
  print_out(
      "\nauto: from the slide; the scores: from the network. Say others with --set NAME=VALUE,... or --parameters "
      "FILE.toml. Presets:\n");
  for (const ParameterPreset& preset : parameter_presets()) print_out("  {:<10} {}\n", preset.name, preset.about);
}

void print_json(const SegmentationParameters& parameters) {
  const SegmentationParameters &defaults = parameter_preset("default"), &paper = parameter_preset("paper");
  nlohmann::json all = nlohmann::json::array();
  for (const ParameterRow& row : parameter_table())
    all.push_back({{"name", row.name},
                   {"unit", row.unit},
                   {"value", value_of(row, parameters)},
                   {"default", value_of(row, defaults)},
                   {"paper", value_of(row, paper)},
                   {"min", row.least},
                   {"max", row.most},
                   {"meaning", row.meaning},
                   {"source", row.source}});
  write_json(all, 2);
}

}  // namespace

void add_parameter_values(CLI::App& command, AskedParameters& asked) {
  command.add_option("--parameters", asked.file, "Parameters from a TOML file: lines like G1 = 60");
  command.add_option("--set", asked.said, "Parameters: NAME=VALUE,... (may be repeated)")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_parameter_options(CLI::App& command, AskedParameters& asked) {
  command.add_option("--preset", asked.preset, "Parameters to begin with: default, or paper (fixed values)")
      ->capture_default_str();
  add_parameter_values(command, asked);
  command
      .add_option("--detector", asked.detector,
                  "What finds the nuclei: learned, a network (the default), or levels, of red light")
      ->check(CLI::IsMember({"levels", "learned"}));
  command.add_option("--detector-weights", asked.weights,
                     "A JSON file with other weights of the learned detector than those of the program");
  command.add_option("--network", asked.network,
                     "An ONNX file with a network of yours that finds the nuclei by probabilities, or as HoVer-Net or "
                     "StarDist do; a description is beside it, as model.toml beside model.onnx "
                     "(docs/segmentation.md)");
}

void add_show_parameters(CLI::App& command, const AskedParameters& asked, const bool& json) {
  command.add_flag_callback(
      "--show-parameters",
      [&] {
        const SegmentationParameters parameters = parameters_of(asked);
        json ? print_json(parameters) : print_table(parameters);
        throw CLI::Success();
      },
      "Print every parameter with unit, range, meaning and source, and the values that this command line gives");
#if CLI11_VERSION_MAJOR > 2 || (CLI11_VERSION_MAJOR == 2 && CLI11_VERSION_MINOR >= 6)
  // From 2.6 on CLI11 asks for required options before it calls this function or stores what it reads.
  for (const char* name : {"--preset", "--parameters", "--set", "--detector", "--detector-weights", "--network",
                           "--json", "--show-parameters"})
    command.get_option(name)->callback_priority(CLI::CallbackPriority::PreRequirementsCheck);
#endif
}

}  // namespace starpath::apps
