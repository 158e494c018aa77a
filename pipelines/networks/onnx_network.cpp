// Reading of both files, and whether they fit together.
#include "pipelines/networks/onnx_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::input, message); }

std::string names_of(const std::vector<OnnxTensor>& tensors) {
  std::vector<std::string> names;
  for (const OnnxTensor& tensor : tensors) names.push_back(fmt::format("'{}'", tensor.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Also finds the order of the sides: TensorFlow's networks have the channels last.
void check_input(OnnxNetwork& network) {
  const std::vector<OnnxTensor>& inputs = network.outline.inputs;
  if (inputs.size() != 1)
    refuse(fmt::format("{}: has the inputs {}; a network with one image as its input is needed", network.file,
                       names_of(inputs)));
  const OnnxTensor& input = inputs[0];
  const std::int64_t field = network.description.field;
  const bool last = input.sides.size() == 4 && input.sides[3] == 3 && input.sides[1] != 3;
  network.description.channels_last = last;
  const std::string wanted =
      fmt::format("1x{}", last ? fmt::format("{}x{}x3", field, field) : fmt::format("3x{}x{}", field, field));
  if (input.type != kOnnxFloat)
    refuse(fmt::format("{}: its input '{}' takes numbers of ONNX's type {}; 32-bit floating point is needed",
                       network.file, input.name, input.type));
  if (!input.is_fixed() || input.sides.empty())
    refuse(fmt::format("{}: its input '{}' has no fixed size ({}); export it with the size {}", network.file,
                       input.name, input.shape(), wanted));
  if (input.shape() != wanted)
    refuse(fmt::format("{}: its input '{}' takes {} numbers, but {} describes {} ({})", network.file, input.name,
                       input.shape(), description_file_of(network.file), wanted,
                       last ? "images, rows, columns, channels" : "images, channels, rows, columns"));
}

void find_output(const OnnxNetwork& network, const char* section, NetworkMap& map) {
  const std::vector<OnnxTensor>& outputs = network.outline.outputs;
  if (map.output.empty() && outputs.size() != 1)
    refuse(fmt::format("{}: [{}] says no output, and {} has several: add output = one of {}",
                       description_file_of(network.file), section, network.file, names_of(outputs)));
  if (map.output.empty()) map.output = outputs[0].name;
  if (std::ranges::find(outputs, map.output, &OnnxTensor::name) == outputs.end())
    refuse(fmt::format("{}: [{}] names the output '{}', but {} has {}", description_file_of(network.file), section,
                       map.output, network.file, names_of(outputs)));
}

std::string digest_of(const OnnxNetwork& network) {
  io::Digest digest;
  digest.add(text_of(network.description));
  digest.add("\n");
  digest.add(network.bytes);
  return digest.hex();
}

}  // namespace

std::string description_file_of(const std::string& file) {
  return std::filesystem::path(file).replace_extension(".toml").string();
}

OnnxNetwork read_network(const std::string& file) {
  OnnxNetwork network;
  network.file = file;
  if (description_file_of(file) == file) refuse(file + ": is the description; name the ONNX file");
  std::error_code unknown;
  if (const auto bytes = std::filesystem::file_size(file, unknown);
      !unknown && bytes > static_cast<std::uintmax_t>(kMostNetworkBytes))
    refuse(
        fmt::format("{}: is too large ({} MiB): every worker keeps the network in memory, so at most {} MiB are taken",
                    file, bytes >> 20, kMostNetworkBytes >> 20));
  network.bytes = read_file(file, "--network takes an ONNX file");
  network.outline = outline_of_onnx(network.bytes, file);
  const std::string about = description_file_of(file);
  network.description =
      parse_network_description(read_file(about, "the description of a network is beside its ONNX file"), about);
  check_input(network);
  find_output(network, "nucleus", network.description.nucleus);
  const bool has_core = network.description.kind == NetworkKind::probability;
  find_output(network, has_core ? "core" : "distances", network.description.second);
  network.digest = digest_of(network);
  return network;
}

}  // namespace starpath
