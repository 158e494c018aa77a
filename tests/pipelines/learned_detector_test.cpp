// The file of a detector's weights: what is read, and what is said of damaged ones.
#include "pipelines/segmentation/learned_detector.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "pipelines/segmentation/asked_parameters.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "tests/support/detector_file.hpp"

namespace starpath {
namespace {

using nlohmann::json;

constexpr DetectorChannels kChannels{{8, 16, 8, 0}};

/// A network whose numbers differ from each other.
support::TestNetwork counted_network() {
  support::TestNetwork network(kChannels);
  for (int number = 0; number < network.layers.count; ++number) {
    const DetectorLayer& layer = network.layer(number);
    int next = number;
    for (int out = 0; out < layer.out; ++out) {
      for (int ky = 0; ky < layer.kernel; ++ky)
        for (int kx = 0; kx < layer.kernel; ++kx)
          for (int in = 0; in < layer.in; ++in) {
            next = (next + 37) % 255;
            network.set_weight(number, out, ky, kx, in, next - 127);
          }
      network.set_bias(number, out, -1000 + out);
      network.set_scale(number, out, 20000 + out, 20 + number);
    }
  }
  return network;
}

/// Its file.
struct File {
  support::TestNetwork network = counted_network();
  json root = support::detector_json(network, 120, 140);
};

TEST(LearnedDetector, ReadsWhatTheFileHolds) {
  const File file;
  EXPECT_EQ(file.network.weight(0, 0, 0, 1, 1), (37 * 5) % 255 - 127) << "the fifth of the first layer";
  const LearnedDetector detector = parse_detector(file.root.dump(), "w.json");
  EXPECT_EQ(detector.channels, kChannels);
  EXPECT_EQ(detector.words, file.network.numbers());
  EXPECT_EQ(detector.mpp, 0.5);
  EXPECT_EQ(detector.nucleus_score, 120);
  EXPECT_EQ(detector.core_score, 140);
}

/// What is said of the file after `change`.
std::string refused(const std::function<void(json&)>& change) {
  File file;
  change(file.root);
  try {
    parse_detector(file.root.dump(), "w.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "nothing";
}

TEST(LearnedDetector, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(refused([](json& root) { root["format"] = "other"; }),
            "w.json: holds no weights of a detector: 'format' is not \"starpath-detector\"");
  EXPECT_EQ(refused([](json& root) { root["version"] = 2; }), "w.json: has version 2, this starpath reads version 1");
  EXPECT_EQ(refused([](json& root) { root["um_per_px"] = "half"; }),
            "w.json: is damaged: 'um_per_px' is \"half\"; a number from 0.1 to 10 is needed");
  EXPECT_EQ(refused([](json& root) {
              root["channels"] = {8, 16};
            }),
            "w.json: is damaged: 'channels' is no list of three or four numbers");
  EXPECT_EQ(refused([](json& root) { root["channels"][1] = 12; }),
            "w.json: is damaged: 'channels' holds 12; multiples of 8 are needed");
  EXPECT_EQ(refused([](json& root) { root["channels"][0] = 512; }),
            "w.json: is damaged: 'channels' of the file is 512; a whole number from 8 to 256 is needed");
  EXPECT_EQ(refused([](json& root) { root.erase("thresholds"); }), "w.json: is damaged: the file has no 'thresholds'");
  EXPECT_EQ(refused([](json& root) { root["thresholds"]["core"] = 0; }),
            "w.json: is damaged: 'core' of 'thresholds' is 0; a whole number from 1 to 255 is needed");
  EXPECT_EQ(refused([](json& root) { root["layers"].erase(10); }),
            "w.json: is damaged: 'layers' is no list of 11 layers: encoder0a, encoder0b, encoder1a, encoder1b, "
            "encoder2a, encoder2b, decoder1a, decoder1b, decoder0a, decoder0b, head");
}

TEST(LearnedDetector, SaysWhatIsWrongWithALayer) {
  EXPECT_EQ(refused([](json& root) { std::swap(root["layers"][1], root["layers"][2]); }),
            "w.json: is damaged: layer 'encoder0b' is called \"encoder1a\"");
  EXPECT_EQ(refused([](json& root) { root["layers"][6]["in"] = 16; }),
            "w.json: is damaged: 'in' of layer 'decoder1a' is 16, but 'channels' make it 24");
  EXPECT_EQ(refused([](json& root) { root["layers"][0]["weights"].erase(5); }),
            "w.json: is damaged: 'weights' of layer 'encoder0a' is no list of 216 numbers, but of 215");
  EXPECT_EQ(refused([](json& root) { root["layers"][0]["weights"][7] = -128; }),
            "w.json: is damaged: 'weights' of layer 'encoder0a' is -128; a whole number from -127 to 127 is needed");
  EXPECT_EQ(refused([](json& root) { root["layers"][0]["weights"][7] = 1.0; }),
            "w.json: is damaged: 'weights' of layer 'encoder0a' is 1.0; a whole number from -127 to 127 is needed");
  EXPECT_EQ(refused([](json& root) { root["layers"][0]["shift"][2] = 63; }),
            "w.json: is damaged: 'shift' of layer 'encoder0a' is 63; a whole number from 1 to 62 is needed");
  EXPECT_EQ(refused([](json& root) { root["layers"][10]["multiplier"][1] = 2147483648; }),
            "w.json: is damaged: 'multiplier' of layer 'head' is 2147483648; a whole number from 1 to 2147483647 is "
            "needed");
  EXPECT_EQ(refused([](json& root) { root["layers"][10]["multiplier"][1] = 18446744073709551615u; }),
            "w.json: is damaged: 'multiplier' of layer 'head' is 18446744073709551615; a whole number from 1 to "
            "2147483647 is needed");
  EXPECT_EQ(refused([](json& root) { root["layers"][3]["bias"][2] = -2147480000; }),
            "w.json: is damaged: a sum of layer 'encoder1b' may exceed 32 bits (output 2)");
  EXPECT_EQ(refused([](json& root) { root["layers"][3]["bias"] = std::string(100, 'x'); }),
            "w.json: is damaged: 'bias' of layer 'encoder1b' is no list of 16 numbers");
}

TEST(LearnedDetector, SaysThatAFileIsNoJson) {
  const std::string text = File().root.dump();
  try {
    parse_detector(text.substr(0, text.size() / 2), "w.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("w.json: is no file of a detector's weights or is damaged (byte "),
              std::string::npos)
        << error.what();
  }
}

TEST(LearnedDetector, ComesWithTheProgram) {
  const LearnedDetector& detector = bundled_detector();
  EXPECT_EQ(static_cast<int>(detector.words.size()), DetectorLayers(detector.channels).words());
  EXPECT_EQ(detector.mpp, 0.5);
}

TEST(LearnedDetector, DigestDependsOnEverything) {
  const LearnedDetector one = parse_detector(File().root.dump(), "w.json");
  LearnedDetector other = one;
  EXPECT_EQ(detector_digest(one), detector_digest(other));
  EXPECT_EQ(detector_digest(one).size(), 16u);
  other.core_score += 1;
  EXPECT_NE(detector_digest(one), detector_digest(other));
  other = one;
  other.words.back() += 1;
  EXPECT_NE(detector_digest(one), detector_digest(other));
}

TEST(LearnedDetector, IsAskedForByName) {
  EXPECT_TRUE(is_learned(parameters_of({})));
  EXPECT_TRUE(is_learned(parameters_of({.preset = "paper", .detector = "learned"})));
  EXPECT_FALSE(is_learned(parameters_of({.preset = "paper"})));
  EXPECT_FALSE(is_learned(parameters_of({.detector = "levels"})));
  EXPECT_FALSE(is_learned(parameters_of({.said = {"detector=1"}, .detector = "levels"})));
  EXPECT_FALSE(parameters_json(parameters_of({.detector = "levels"})).contains("detector_weights"));
  EXPECT_EQ(parameters_json(parameters_of({.detector = "learned"}))["detector_weights"],
            detector_digest(bundled_detector()));
  EXPECT_THROW(parameters_of({.detector = "levels", .weights = "w.json"}), Error);
}

TEST(LearnedDetector, ParametersOfTheLevelsChooseTheLevels) {
  EXPECT_FALSE(is_learned(parameters_of({.said = {"G1=60"}})));
  EXPECT_TRUE(is_learned(parameters_of({.said = {"min_area_um2=10"}})));
  EXPECT_TRUE(is_learned(parameters_of({.said = {"opening_um=6"}})));  // the default
  EXPECT_TRUE(is_learned(parameters_of({.said = {"core_score=200"}})));
  const AskedParameters asked{.said = {"G1=60"}};
  const auto origins = origins_of(asked, parameters_of(asked));
  const auto detector = std::ranges::find(parameter_table(), "detector", &ParameterRow::name);
  EXPECT_EQ(origins[static_cast<std::size_t>(detector - parameter_table().begin())], "parameters of the levels");
  for (const AskedParameters& contradiction :
       {AskedParameters{.said = {"G1=60"}, .detector = "learned"}, AskedParameters{.said = {"G1=60", "detector=1"}},
        AskedParameters{.said = {"core_score=200"}, .detector = "levels"},
        AskedParameters{.said = {"G1=60", "core_score=200"}}, AskedParameters{.said = {"core_score=200", "G1=60"}}})
    EXPECT_THROW(parameters_of(contradiction), Error);
}

TEST(LearnedDetector, ItsLevelsCanBeSaid) {
  AskedParameters asked{.detector = "learned"};
  PixelParameters pixels = pixel_parameters(parameters_of(asked), kFixedLevels, 0.5);
  EXPECT_EQ(pixels.core_score, bundled_detector().core_score);
  EXPECT_EQ(pixels.channels_0, bundled_detector().channels.of[0]);
  asked.said = {"core_score=200", "nucleus_score=90"};
  pixels = pixel_parameters(parameters_of(asked), kFixedLevels, 0.5);
  EXPECT_EQ(pixels.core_score, 200);
  EXPECT_EQ(pixels.nucleus_score, 90);
  EXPECT_EQ(pixel_parameters({}, kFixedLevels, 0.5).channels_0, 0);
}

}  // namespace
}  // namespace starpath
