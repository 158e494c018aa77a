// What an ONNX file says of itself, without its weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starpath {

struct OnnxTensor {
  static constexpr std::int64_t kNotFixed = -1;
  std::string name;
  std::int64_t type = 0;            // of an element, as ONNX numbers them; 1: float
  std::vector<std::int64_t> sides;  // kNotFixed: the file leaves the side open

  bool is_fixed() const;
  /// "1x3x256x256", with a ? for what is left open.
  std::string shape() const;
};

struct OnnxOutline {
  std::string producer;
  std::int64_t opset = 0;           // of ONNX's own operators
  std::size_t layers = 0;           // nodes of the graph
  std::vector<OnnxTensor> inputs;   // without the weights
  std::vector<OnnxTensor> outputs;  // sides may be missing
};

inline constexpr std::int64_t kOnnxFloat = 1;

/// Walks through the file's messages (onnx.proto of github.com/onnx/onnx, in the wire format of Protocol Buffers).
/// `name` begins messages. Throws Error{input}, one line: bytes that are no such messages, no graph, weights that are
/// in another file, a layer or output that nothing gives.
OnnxOutline outline_of_onnx(std::string_view bytes, const std::string& name);

}  // namespace starpath
