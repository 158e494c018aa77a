// ONNX files for tests: a writer of the few messages (onnx.proto) that a small network needs, and such a network.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace starpath::support {

/// A message in the wire format of Protocol Buffers.
class WireMessage {
 public:
  WireMessage& number(unsigned field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  WireMessage& text(unsigned field, const std::string& bytes) {
    varint(field << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  WireMessage& message(unsigned field, const WireMessage& message) { return text(field, message.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

/// An input or output of a network. A side of -1 is left open.
struct OnnxValue {
  std::string name;
  std::vector<std::int64_t> sides;
  std::uint64_t type = 1;  // float
};

struct OnnxNode {
  std::string op, name;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::vector<std::int64_t>> lists = {};  // attributes
  std::string domain = {};
};

struct OnnxWeights {
  std::string name;
  std::vector<std::int64_t> sides;
  std::vector<float> values;
};

struct OnnxModel {
  std::vector<OnnxNode> nodes;
  std::vector<OnnxWeights> weights;
  std::vector<OnnxValue> inputs, outputs;

  std::string bytes() const {
    WireMessage graph;
    for (const OnnxNode& node : nodes) graph.message(1, message_of(node));
    graph.text(2, "test");
    for (const OnnxWeights& each : weights) graph.message(5, message_of(each));
    for (const OnnxValue& input : inputs) graph.message(11, message_of(input));
    for (const OnnxValue& output : outputs) graph.message(12, message_of(output));
    return WireMessage()
        .number(1, 6)
        .text(2, "a test")
        .message(7, graph)
        .message(8, WireMessage().text(1, "").number(2, 11))
        .bytes();
  }
  void write(const std::string& file) const { std::ofstream(file, std::ios::binary) << bytes(); }

 private:
  static WireMessage message_of(const OnnxNode& node) {
    WireMessage message;
    for (const std::string& input : node.inputs) message.text(1, input);
    for (const std::string& output : node.outputs) message.text(2, output);
    message.text(3, node.name).text(4, node.op);
    for (const auto& [name, values] : node.lists) {
      constexpr std::uint64_t ints = 7;
      WireMessage attribute;
      attribute.text(1, name);
      for (const std::int64_t value : values) attribute.number(8, static_cast<std::uint64_t>(value));
      message.message(5, attribute.number(20, ints));
    }
    if (!node.domain.empty()) message.text(7, node.domain);
    return message;
  }
  static WireMessage message_of(const OnnxWeights& weights) {
    WireMessage message;
    for (const std::int64_t side : weights.sides) message.number(1, static_cast<std::uint64_t>(side));
    std::string raw(weights.values.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), weights.values.data(), raw.size());
    return message.number(2, 1).text(8, weights.name).text(9, raw);
  }
  static WireMessage message_of(const OnnxValue& value) {
    WireMessage shape;
    for (const std::int64_t side : value.sides)
      shape.message(
          1, side < 0 ? WireMessage().text(2, "open") : WireMessage().number(1, static_cast<std::uint64_t>(side)));
    const WireMessage tensor = WireMessage().number(1, value.type).message(2, shape);
    return WireMessage().text(1, value.name).message(2, WireMessage().message(1, tensor));
  }
};

/// A network that finds what is dark in red, without training: through a convolution of 5x5 and one of 3x3, so that it
/// looks 3 pixels far. With values of 0..1 the logit of a nucleus is 4 - 8 times the mean red of 3x3 pixels, and that
/// of a core is the same of 7x7 pixels. Pixels in the middle count more.
inline OnnxModel darkness_model(std::int64_t field) {
  OnnxModel model;
  std::vector<float> look(2 * 3 * 25, 0), decide(2 * 2 * 9, 0);
  look[12] = 1;                                              // the red of the pixel itself
  for (std::size_t i = 0; i < 25; ++i) look[75 + i] = .04f;  // the mean red around
  for (std::size_t i = 0; i < 9; ++i) decide[i] = decide[27 + i] = -8.f / 9;
  model.weights = {{"look.weight", {2, 3, 5, 5}, look},
                   {"look.bias", {2}, {0, 0}},
                   {"decide.weight", {2, 2, 3, 3}, decide},
                   {"decide.bias", {2}, {4, 4}}};
  const auto convolution = [](const char* name, const char* from, const char* to, std::int64_t kernel) {
    const std::int64_t pad = kernel / 2;
    return OnnxNode{"Conv",
                    name,
                    {from, std::string(name) + ".weight", std::string(name) + ".bias"},
                    {to},
                    {{"kernel_shape", {kernel, kernel}}, {"pads", {pad, pad, pad, pad}}, {"strides", {1, 1}}}};
  };
  model.nodes = {convolution("look", "image", "seen", 5),
                 {"Relu", "rectify", {"seen"}, {"rectified"}},
                 convolution("decide", "rectified", "logits", 3),
                 {"Sigmoid", "squash", {"logits"}, {"maps"}}};
  model.inputs = {{"image", {1, 3, field, field}}};
  model.outputs = {{"maps", {1, 2, field, field}}};
  return model;
}

/// The same network as TensorFlow's exporter writes it: the channels of its input `pixels` and of its outputs come
/// last. No layer may take an output.
inline OnnxModel with_channels_last(OnnxModel model) {
  const auto move_last = [](OnnxValue& value) {
    std::rotate(value.sides.begin() + 1, value.sides.begin() + 2, value.sides.end());
  };
  model.nodes.insert(model.nodes.begin(),
                     {"Transpose", "first", {"pixels"}, {model.inputs[0].name}, {{"perm", {0, 3, 1, 2}}}});
  model.inputs[0].name = "pixels";
  move_last(model.inputs[0]);
  for (OnnxValue& output : model.outputs) {
    const std::string inner = output.name + "_inside";
    for (OnnxNode& node : model.nodes) std::replace(node.outputs.begin(), node.outputs.end(), output.name, inner);
    model.nodes.push_back({"Transpose", "last_" + output.name, {inner}, {output.name}, {{"perm", {0, 2, 3, 1}}}});
    move_last(output);
  }
  return model;
}

/// Its description.
inline std::string darkness_description(int field, int margin) {
  return "kind = \"probability\"\num_per_px = 0.5\nfield = " + std::to_string(field) +
         "\nmargin = " + std::to_string(margin) +
         "\nactivation = \"none\"\n\n[nucleus]\nchannels = [0]\nthreshold = 0.5\n\n[core]\nchannels = [1]\n"
         "threshold = 0.35\n";
}

}  // namespace starpath::support
