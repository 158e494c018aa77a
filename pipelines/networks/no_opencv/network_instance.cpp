// In place of OpenCV's DNN module.
#include "pipelines/networks/network_instance.hpp"

#include "base/error.hpp"

namespace starpath {

std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network) {
  throw Error(ErrorKind::usage, network.file +
                                    ": this starpath was built without OpenCV's DNN module, which runs networks: "
                                    "install libopencv-dnn-dev and build again");
}

}  // namespace starpath
