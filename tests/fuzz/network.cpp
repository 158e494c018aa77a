// A network of somebody: its ONNX file, as far as it is read before OpenCV, and its description.
#include "pipelines/networks/onnx_network.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const auto text = fuzz::text_of(data, size);
  fuzz::expect_errors_only([&] {
    for (const OnnxTensor& output : outline_of_onnx(text, "model.onnx").outputs) output.shape();
  });
  fuzz::expect_errors_only([&] { text_of(parse_network_description(text, "model.toml")); });
  return 0;
}
