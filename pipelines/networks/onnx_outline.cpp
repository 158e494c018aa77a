// ONNX's messages, as far as the outline needs them.
#include "pipelines/networks/onnx_outline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.hpp"

namespace starpath {
namespace {

/// What ends the walk: no such message.
struct Damage {
  std::size_t byte;
};

struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of a message, a text or packed numbers
};

/// The fields of one message, in the wire format of Protocol Buffers.
class Message {
 public:
  Message(std::string_view bytes, const char* begin) : rest_(bytes), begin_(begin) {}

  bool next(Field& field) {
    if (rest_.empty()) return false;
    const std::uint64_t tag = varint();
    field = {tag >> 3, 0, {}};
    if (field.number == 0) throw Damage{place()};
    switch (tag & 7) {
      case 0:
        field.value = varint();
        return true;
      case 1:
        field.bytes = take(8);
        return true;
      case 2:
        field.bytes = take(varint());
        return true;
      case 5:
        field.bytes = take(4);
        return true;
      default:
        throw Damage{place()};
    }
  }
  /// Of one of its fields.
  Message in(const Field& field) const { return {field.bytes, begin_}; }

 private:
  std::size_t place() const { return static_cast<std::size_t>(rest_.data() - begin_); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw Damage{place()};
  }

  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw Damage{place()};
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  const char* begin_;  // of the file
};

void read_shape(Message shape, OnnxTensor& tensor) {
  for (Field dimension; shape.next(dimension);) {
    if (dimension.number != 1) continue;
    std::int64_t side = OnnxTensor::kNotFixed;
    Message parts = shape.in(dimension);
    for (Field part; parts.next(part);)
      if (part.number == 1 && static_cast<std::int64_t>(part.value) > 0) side = static_cast<std::int64_t>(part.value);
    tensor.sides.push_back(side);
  }
}

OnnxTensor tensor_of(Message value) {
  OnnxTensor tensor;
  for (Field field; value.next(field);) {
    if (field.number == 1) tensor.name = field.bytes;
    if (field.number != 2) continue;
    Message type = value.in(field);
    for (Field kind; type.next(kind);) {
      if (kind.number != 1) continue;
      Message of_tensor = type.in(kind);
      for (Field part; of_tensor.next(part);) {
        if (part.number == 1) tensor.type = static_cast<std::int64_t>(part.value);
        if (part.number == 2) read_shape(of_tensor.in(part), tensor);
      }
    }
  }
  return tensor;
}

/// The name of a weight tensor. Throws Error for one whose numbers are not here.
std::string weights_name(Message tensor, const std::string& file) {
  std::string name;
  bool elsewhere = false;
  for (Field field; tensor.next(field);) {
    if (field.number == 8) name = field.bytes;
    elsewhere = elsewhere || (field.number == 14 && field.value == 1);
  }
  if (elsewhere)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: keeps the weights '{}' in another file; export it with all weights inside", file, name));
  return name;
}

struct Node {
  std::string_view name, op;
  std::vector<std::string_view> inputs, outputs;
};

Node node_of(Message message) {
  Node node;
  for (Field field; message.next(field);) {
    if (field.number == 1) node.inputs.push_back(field.bytes);
    if (field.number == 2) node.outputs.push_back(field.bytes);
    if (field.number == 3) node.name = field.bytes;
    if (field.number == 4) node.op = field.bytes;
  }
  return node;
}

/// OpenCV 4.6 crashes where a layer takes what is not there. Layers come in an order in which they can be computed.
void check_names(const std::vector<Node>& nodes, const std::set<std::string>& weights, const OnnxOutline& outline,
                 const std::string& file) {
  std::set<std::string, std::less<>> known(weights.begin(), weights.end());
  for (const OnnxTensor& input : outline.inputs) known.insert(input.name);
  known.insert("");  // an input that is left out
  for (const Node& node : nodes) {
    for (const std::string_view input : node.inputs)
      if (!known.contains(input))
        throw Error(ErrorKind::input,
                    fmt::format("{}: is damaged: its layer '{}', {}, takes '{}', which no layer before it gives", file,
                                node.name, node.op, input));
    known.insert(node.outputs.begin(), node.outputs.end());
  }
  for (const OnnxTensor& output : outline.outputs)
    if (!known.contains(output.name))
      throw Error(ErrorKind::input, fmt::format("{}: is damaged: no layer gives its output '{}'", file, output.name));
}

void read_graph(Message graph, const std::string& file, OnnxOutline& outline) {
  std::set<std::string> weights;
  std::vector<Node> nodes;
  for (Field field; graph.next(field);) {
    if (field.number == 1) nodes.push_back(node_of(graph.in(field)));
    if (field.number == 5) weights.insert(weights_name(graph.in(field), file));
    if (field.number == 11) outline.inputs.push_back(tensor_of(graph.in(field)));
    if (field.number == 12) outline.outputs.push_back(tensor_of(graph.in(field)));
  }
  std::erase_if(outline.inputs, [&](const OnnxTensor& input) { return weights.contains(input.name); });
  outline.layers = nodes.size();
  check_names(nodes, weights, outline, file);
}

/// The version of ONNX's own operators, if the entry is about these.
void read_opset(Message entry, OnnxOutline& outline) {
  std::string_view domain;
  std::uint64_t version = 0;
  for (Field field; entry.next(field);) {
    if (field.number == 1) domain = field.bytes;
    if (field.number == 2) version = field.value;
  }
  if (domain.empty() || domain == "ai.onnx") outline.opset = static_cast<std::int64_t>(version);
}

}  // namespace

bool OnnxTensor::is_fixed() const { return std::ranges::find(sides, kNotFixed) == sides.end(); }

std::string OnnxTensor::shape() const {
  std::vector<std::string> texts;
  for (const std::int64_t side : sides) texts.push_back(side == kNotFixed ? "?" : fmt::format("{}", side));
  return fmt::format("{}", fmt::join(texts, "x"));
}

OnnxOutline outline_of_onnx(std::string_view bytes, const std::string& name) try {
  OnnxOutline outline;
  Message model(bytes, bytes.data());
  for (Field field; model.next(field);) {
    if (field.number == 2) outline.producer = field.bytes;
    if (field.number == 7) read_graph(model.in(field), name, outline);
    if (field.number == 8) read_opset(model.in(field), outline);
  }
  if (outline.layers == 0 || outline.inputs.empty() || outline.outputs.empty())
    throw Error(ErrorKind::input, name + ": is no ONNX file: it holds no graph with inputs, layers and outputs");
  return outline;
} catch (const Damage& damage) {
  throw Error(ErrorKind::input, fmt::format("{}: is no ONNX file or is damaged (byte {})", name, damage.byte));
}

}  // namespace starpath
