// A network that is ready to compute. An engine makes it: ONNX Runtime (with_onnxruntime/) or OpenCV's DNN module
// (with_opencv/). A build without either has no_engine/ in their place.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipelines/networks/onnx_network.hpp"

namespace starpath {

/// Numbers of an output, the last side fastest.
struct NetworkOutput {
  std::vector<int> sides;
  const float* values;
};

/// For one thread at a time. It starts no threads.
class NetworkInstance {
 public:
  virtual ~NetworkInstance() = default;

  /// `input`: three planes of field x field numbers, or three numbers for each of these pixels where the channels are
  /// last. Returns the outputs of the maps `nucleus` and `second`, which are valid until the next call. Throws
  /// std::bad_alloc, or std::runtime_error of one line that names the layer where that is known.
  virtual std::array<NetworkOutput, 2> run(std::span<const float> input) = 0;

  /// Memory of its weights and of what its layers give.
  virtual std::int64_t bytes() const = 0;
};

/// The engine and its version, "OpenCV 4.6.0"; empty in a build without one.
std::string network_engine();

/// Throws as run() does, and Error{usage} in a build without an engine.
std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network);

}  // namespace starpath
