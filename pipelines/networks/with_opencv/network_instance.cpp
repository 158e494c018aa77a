// Networks by OpenCV's DNN module, on the calling thread alone.
#include "pipelines/networks/network_instance.hpp"

#include <fmt/format.h>

#include <new>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>

namespace starpath {
namespace {

/// OpenCV's words in one line, without its own names of files and functions and its prefix of names of layers.
std::string plain(std::string text) {
  static const std::regex quoting(R"~([\s>]+)~"), place(R"~(OpenCV\([^)]*\) \S+ error: \([^)]*\) )~"),
      function(R"~( ?in function '[^']*')~"), prefix("onnx_node!"), ends("^ +| +$");
  for (const auto& [what, by] : {std::pair{&quoting, " "}, {&place, ""}, {&function, ""}, {&prefix, ""}, {&ends, ""}})
    text = std::regex_replace(text, *what, by);
  return text;
}

std::string reason_of(const cv::Exception& error) {
  const std::string text = plain(error.err.empty() ? error.msg : error.err);
  static const std::regex unknown(R"~(Can't create layer "([^"]*)" of type "([^"]*)")~"),
      node(R"~(^Node \[([^@\]]*)[^\]]*\]:\(([^)]*)\) parse error: ?(.*)$)~");
  std::smatch found;
  if (std::regex_search(text, found, unknown))
    return fmt::format(
        "{} does not know the kind of its layer '{}', {}: put other layers in its place and export it again "
        "(docs/segmentation.md does so for StarDist)",
        network_engine(), found.str(1), found.str(2));
  if (std::regex_search(text, found, node))
    return fmt::format("{} cannot read its layer '{}', {}: {}", network_engine(), found.str(2), found.str(1),
                       found.str(3));
  return fmt::format("{} cannot compute it: {}", network_engine(), text);
}

/// Calls function(), which calls OpenCV. What it throws becomes std::bad_alloc or a std::runtime_error.
template <class Function>
auto call_opencv(Function function) {
  [[maybe_unused]] static const bool once = [] {
    cv::setNumThreads(1);                                                   // every core has a worker of StarPU
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);  // what matters is thrown
    cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
    return true;
  }();
  try {
    return function();
  } catch (const cv::Exception& error) {
    if (error.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw std::runtime_error(reason_of(error));
  }
}

class OpenCvNetwork final : public NetworkInstance {
 public:
  explicit OpenCvNetwork(const OnnxNetwork& network)
      : sides_(network.outline.inputs[0].sides.begin(), network.outline.inputs[0].sides.end()),
        names_{network.description.nucleus.output, network.description.second.output} {
    call_opencv([&] {
      net_ = cv::dnn::readNetFromONNX(network.bytes.data(), network.bytes.size());
      net_.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
      net_.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
#if CV_VERSION_MAJOR > 4 || (CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR >= 7)
      net_.enableWinograd(false);  // it mixes neighbouring pixels' roundings
#endif
      std::size_t weights = 0, blobs = 0;
      net_.getMemoryConsumption(sides_, weights, blobs);
      bytes_ = static_cast<std::int64_t>(weights + blobs);
    });
  }

  std::array<NetworkOutput, 2> run(std::span<const float> input) override {
    return call_opencv([&] {
      // OpenCV knows no matrix of constants; a network only reads it.
      net_.setInput(cv::Mat(sides_, CV_32F, const_cast<float*>(input.data())));
      net_.forward(outputs_, names_);
      return std::array{output_of(outputs_.at(0)), output_of(outputs_.at(1))};
    });
  }

  std::int64_t bytes() const override { return bytes_; }

 private:
  static NetworkOutput output_of(const cv::Mat& output) {
    if (output.type() != CV_32F || !output.isContinuous())
      throw std::runtime_error("an output holds no 32-bit floating-point numbers");
    return {{output.size.p, output.size.p + output.dims}, output.ptr<float>()};
  }

  const std::vector<int> sides_;
  const std::vector<cv::String> names_;
  cv::dnn::Net net_;
  std::vector<cv::Mat> outputs_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::string network_engine() { return "OpenCV " + cv::getVersionString(); }

std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network) {
  return std::make_unique<OpenCvNetwork>(network);
}

}  // namespace starpath
