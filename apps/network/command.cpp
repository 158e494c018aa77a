// `starpath network check`: what a network takes and gives, before a run uses it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/cli/terminal.hpp"
#include "apps/run/one_process.hpp"
#include "pipelines/networks/network_trial.hpp"

namespace starpath::apps {
namespace {

struct CheckArguments {
  std::string file;
  bool json = false;
};

std::string channels_text(const NetworkMap& map) {
  return fmt::format("channel{} {} of {}", map.channels.size() == 1 ? "" : "s", fmt::join(map.channels, " and "),
                     map.output);
}

/// What the second map is, and from where on it counts.
std::string second_text(const NetworkDescription& description) {
  const NetworkMap& map = description.second;
  if (description.kind == NetworkKind::probability)
    return fmt::format("core       {}, from {} on", channels_text(map), map.threshold);
  if (description.kind == NetworkKind::hover)
    return fmt::format("distances  {}, cores from {} on", channels_text(map), map.threshold);
  return fmt::format("distances  {} rays of {}, a point for each {}x{} px; polygons share {} at most",
                     map.channels.size(), map.output, description.grid, description.grid, description.overlap);
}

void print_text(const OnnxNetwork& network, const NetworkReport& report) {
  const NetworkDescription& description = network.description;
  const OnnxTensor& input = network.outline.inputs[0];
  constexpr double mib = 1 << 20;
  print_out("file       {} ({:.1f} MiB, {} layers, opset {}{})\n", network.file,
            static_cast<double>(network.bytes.size()) / mib, network.outline.layers, network.outline.opset,
            network.outline.producer.empty() ? "" : ", by " + network.outline.producer);
  print_out("takes      {}: {}, {}, at {} um/px\n", input.name, input.shape(), description.blue_first ? "bgr" : "rgb",
            description.mpp);
  print_out("gives      {}\n", fmt::join(report.outputs, ", "));
  print_out("nucleus    {}, from {} on\n{}\n", channels_text(description.nucleus), description.nucleus.threshold,
            second_text(description));
  print_out("margin     {} px of each side of a field; the network looks {} px far{}\n", description.margin,
            report.reach.pixels, report.reach.is_all ? " or more" : "");
  print_out("memory     {:.1f} MiB of each worker\n", static_cast<double>(report.bytes) / mib);
  print_out("time       {:.3g} s for a field, which gives {}x{} px, by {}\n", report.field_seconds, description.step(),
            description.step(), network_engine());
}

void print_json(const OnnxNetwork& network, const NetworkReport& report) {
  const NetworkDescription& description = network.description;
  write_json(nlohmann::json{{"file", network.file},
                            {"digest", network.digest},
                            {"bytes", network.bytes.size()},
                            {"layers", network.outline.layers},
                            {"opset", network.outline.opset},
                            {"input", network.outline.inputs[0].shape()},
                            {"outputs", report.outputs},
                            {"um_per_px", description.mpp},
                            {"field", description.field},
                            {"margin", description.margin},
                            {"reach", report.reach.pixels},
                            {"reach_is_whole_field", report.reach.is_all},
                            {"memory_bytes", report.bytes},
                            {"field_seconds", report.field_seconds},
                            {"engine", network_engine()}});
}

void check(const CheckArguments& arguments) {
  const OnnxNetwork network = read_network(arguments.file);
  const NetworkReport report = check_network(network);
  arguments.json ? print_json(network, report) : print_text(network, report);
}

}  // namespace

void add_network_command(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("network", "Look at a network of yours before a segmentation uses it");
  for_one_process(*command);
  command->require_subcommand(1);
  CLI::App* check_command =
      command->add_subcommand("check", "Run a network on a made-up field, and say whether its description is right");
  check_command->add_option("FILE", arguments->file, "An ONNX file; its description is beside it, as model.toml")
      ->required();
  check_command->add_flag("--json", arguments->json, "Print one JSON line");
  check_command->footer(
      R"(Prints what the network takes and gives, its memory, the time of a field on one core, and how far from a pixel it
looks. Exit code 3, and one line, where the file and its description contradict each other, where the margin is smaller
than what the network sees, or where a layer cannot be computed. docs/segmentation.md has all keys of a description.

Example:
  starpath network check model.onnx && starpath segment slide.svs --out results --network model.onnx)");
  check_command->callback([arguments] { check(*arguments); });
}

}  // namespace starpath::apps
