// In place of an engine that runs networks.
#include "pipelines/networks/network_instance.hpp"

#include "base/error.hpp"

namespace starpath {

std::string network_engine() { return {}; }

std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network) {
  throw Error(ErrorKind::usage, network.file +
                                    ": this starpath was built without ONNX Runtime and OpenCV's DNN module, which run "
                                    "networks: install libonnxruntime-dev (Debian 13) or libopencv-dnn-dev and build "
                                    "again");
}

}  // namespace starpath
