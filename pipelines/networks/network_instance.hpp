// A network that is ready to compute. with_opencv/ makes it by OpenCV's DNN module; a build without that module has
// no_opencv/ in its place.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
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

  /// `input`: three planes of field x field numbers. Returns the outputs of the maps `nucleus` and `second`, which are
  /// valid until the next call. Throws std::bad_alloc, or std::runtime_error of one line that names the layer where
  /// that is known.
  virtual std::array<NetworkOutput, 2> run(std::span<const float> input) = 0;

  /// Memory of its weights and of what its layers give.
  virtual std::int64_t bytes() const = 0;
};

/// Throws as run() does, and Error{usage} in a build without OpenCV's DNN module.
std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network);

}  // namespace starpath
