// What ONNX files say of themselves, and damaged ones.
#include "pipelines/networks/onnx_outline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/pipelines/made_up_network.hpp"
#include "tests/support/onnx_model.hpp"

namespace starpath {
namespace {

using support::darkness_model;
using test::network_refusal;

TEST(OnnxOutline, TellsInputsOutputsAndLayers) {
  support::OnnxModel model = darkness_model(64);
  model.inputs.push_back({"look.bias", {2}});  // older files list weights as inputs
  model.outputs[0].sides = {-1, 2, -1, 64};
  const OnnxOutline outline = outline_of_onnx(model.bytes(), "n.onnx");
  EXPECT_EQ(outline.layers, 4u);
  EXPECT_EQ(outline.opset, 11);
  EXPECT_EQ(outline.producer, "a test");
  ASSERT_EQ(outline.inputs.size(), 1u);
  EXPECT_EQ(outline.inputs[0].name, "image");
  EXPECT_EQ(outline.inputs[0].type, kOnnxFloat);
  EXPECT_EQ(outline.inputs[0].shape(), "1x3x64x64");
  EXPECT_TRUE(outline.inputs[0].is_fixed());
  ASSERT_EQ(outline.outputs.size(), 1u);
  EXPECT_EQ(outline.outputs[0].shape(), "?x2x?x64");
  EXPECT_FALSE(outline.outputs[0].is_fixed());
}

TEST(OnnxOutline, RefusesWhatIsCutOffAnywhere) {
  const std::string bytes = darkness_model(64).bytes();
  // What is cut between two messages has no graph, as the graph is the third.
  std::size_t damaged = 0;
  for (std::size_t length = 0; length < bytes.size() - 6; ++length) {
    const std::string said =
        network_refusal([&] { outline_of_onnx(std::string_view(bytes).substr(0, length), "n.onnx"); });
    EXPECT_EQ(said.find("n.onnx: is no ONNX file"), 0u) << length << ": " << said;
    if (said.find("damaged (byte ") != std::string::npos) ++damaged;
  }
  EXPECT_GT(damaged, bytes.size() - 30);
  EXPECT_EQ(network_refusal([&] { outline_of_onnx("<html>", "n.onnx"); }),
            "n.onnx: is no ONNX file or is damaged (byte 1)");
}

TEST(OnnxOutline, RefusesWeightsInAnotherFile) {
  support::WireMessage tensor, graph, model;
  tensor.text(8, "big.weight").number(14, 1);
  graph.message(5, tensor);
  model.message(7, graph);
  EXPECT_EQ(network_refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: keeps the weights 'big.weight' in another file; export it with all weights inside");
}

TEST(OnnxOutline, RefusesLayersThatTakeWhatNothingGives) {
  support::OnnxModel model = darkness_model(64);
  model.nodes[2].inputs[1] = "decide.weights";
  EXPECT_EQ(network_refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: its layer 'decide', Conv, takes 'decide.weights', which no layer before it gives");
  model = darkness_model(64);
  std::swap(model.nodes[0], model.nodes[1]);
  EXPECT_EQ(network_refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: its layer 'rectify', Relu, takes 'seen', which no layer before it gives");
  model = darkness_model(64);
  model.outputs[0].name = "map";
  EXPECT_EQ(network_refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: no layer gives its output 'map'");
}

}  // namespace
}  // namespace starpath
