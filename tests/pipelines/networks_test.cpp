// Networks of others without what computes them: files, descriptions, fields and scores.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "pipelines/networks/scored_network.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

using support::darkness_description;
using support::darkness_model;

/// What `read` says that it cannot read.
std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "nothing";
}

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
    const std::string said = refusal([&] { outline_of_onnx(std::string_view(bytes).substr(0, length), "n.onnx"); });
    EXPECT_EQ(said.find("n.onnx: is no ONNX file"), 0u) << length << ": " << said;
    if (said.find("damaged (byte ") != std::string::npos) ++damaged;
  }
  EXPECT_GT(damaged, bytes.size() - 30);
  EXPECT_EQ(refusal([&] { outline_of_onnx("<html>", "n.onnx"); }), "n.onnx: is no ONNX file or is damaged (byte 1)");
}

TEST(OnnxOutline, RefusesWeightsInAnotherFile) {
  support::WireMessage tensor, graph, model;
  tensor.text(8, "big.weight").number(14, 1);
  graph.message(5, tensor);
  model.message(7, graph);
  EXPECT_EQ(refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: keeps the weights 'big.weight' in another file; export it with all weights inside");
}

TEST(OnnxOutline, RefusesLayersThatTakeWhatNothingGives) {
  support::OnnxModel model = darkness_model(64);
  model.nodes[2].inputs[1] = "decide.weights";
  EXPECT_EQ(refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: its layer 'decide', Conv, takes 'decide.weights', which no layer before it gives");
  model = darkness_model(64);
  std::swap(model.nodes[0], model.nodes[1]);
  EXPECT_EQ(refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: its layer 'rectify', Relu, takes 'seen', which no layer before it gives");
  model = darkness_model(64);
  model.outputs[0].name = "map";
  EXPECT_EQ(refusal([&] { outline_of_onnx(model.bytes(), "n.onnx"); }),
            "n.onnx: is damaged: no layer gives its output 'map'");
}

TEST(NetworkDescription, ReadsAllKeys) {
  const NetworkDescription read = parse_network_description(
      "kind = \"probability\"\num_per_px = 0.25\nfield = 256\nmargin = 40\nchannels = \"bgr\"\nrange = [-1, 1]\n"
      "mean = [0.5, 0, 0.25]\nstd = [2, 1, 0.5]\nactivation = \"softmax\"\n"
      "[nucleus]\noutput = \"classes\"\nchannels = [1, 2]\nthreshold = 0.5\n[core]\nchannels = [1]\nthreshold = 0.8\n",
      "n.toml");
  EXPECT_EQ(read.mpp, .25);
  EXPECT_EQ(read.step(), 176);
  EXPECT_TRUE(read.blue_first);
  EXPECT_EQ(read.activation, Activation::softmax);
  EXPECT_EQ(read.nucleus, (NetworkMap{"classes", {1, 2}, .5}));
  EXPECT_EQ(read.second, (NetworkMap{"classes", {1}, .8})) << "the output of the nucleus";
  const auto value = [&](std::size_t channel, double byte) {
    return byte * read.factors[channel] + read.offsets[channel];
  };
  EXPECT_DOUBLE_EQ(value(0, 0), (-1 - .5) / 2);
  EXPECT_DOUBLE_EQ(value(0, 255), (1 - .5) / 2);
  EXPECT_DOUBLE_EQ(value(2, 255), (1 - .25) / .5);
  EXPECT_DOUBLE_EQ(value(1, 51), -1 + 2 * .2);
}

TEST(NetworkDescription, SaysWhatIsWrong) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = darkness_description(64, 8);
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { parse_network_description(text, "n.toml"); });
  };
  EXPECT_EQ(with("um_per_px = 0.5\n", ""), "n.toml:1: 'um_per_px' is missing");
  EXPECT_EQ(with("0.5", "0"), "n.toml:2: 'um_per_px' is 0; a number from 0.1 to 10 is needed");
  EXPECT_EQ(with("field = 64", "field = 64.5"), "n.toml:3: 'field' is 64.5; a whole number from 16 to 4096 is needed");
  EXPECT_EQ(with("\"none\"", "\"none\"\nmean = [1, 2]"), "n.toml:6: 'mean' is [ 1, 2 ]; a list of 3 numbers is needed");
  EXPECT_EQ(with("\"none\"", "\"none\"\nstd = [1, 0, 1]"), "n.toml:6: 'std' holds 0; it must be above 0");
  EXPECT_EQ(with("\"none\"", "\"none\"\nrange = [1, 1]"), "n.toml:6: 'range' begins and ends with 1");
  EXPECT_EQ(with("\"none\"", "\"relu\""), "n.toml:5: 'activation' is \"relu\"; it can be none, sigmoid, softmax");
  EXPECT_EQ(with("[0]", "[0, 0]"),
            "n.toml:8: [nucleus]: 'channels' is [ 0, 0 ]; a list of channels is needed, from 0 on, each once");
  EXPECT_EQ(with("[core]\nchannels = [1]\nthreshold = 0.35\n", ""), "n.toml:1: 'core' is missing");
}

TEST(NetworkDescription, ReadsThoseOfDistances) {
  const NetworkDescription hover = parse_network_description(support::hover_description(64, 8), "n.toml");
  EXPECT_EQ(hover.kind, NetworkKind::hover);
  EXPECT_EQ(hover.nucleus, (NetworkMap{"np", {0}, .5}));
  EXPECT_EQ(hover.second, (NetworkMap{"hv", {0, 1}, .4}));
  const NetworkDescription stars = parse_network_description(support::star_description(64, 12), "n.toml");
  EXPECT_EQ(stars.kind, NetworkKind::stardist);
  EXPECT_EQ(stars.second, (NetworkMap{"dist", {0, 1, 2, 3, 4, 5, 6, 7}, 0}));
  EXPECT_EQ(stars.grid, 2);
  EXPECT_EQ(stars.overlap, .3);
  EXPECT_EQ(linear_score_of(.5), 128);
  EXPECT_EQ(reach_of_fields(hover), reach_of_fields(stars) - 4 + 8 + 5);

  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return refusal([&] { parse_network_description(text, "n.toml"); });
  };
  const auto of_stars = [&](const std::string& from, const std::string& to) {
    return with(support::star_description(64, 12), from, to);
  };
  EXPECT_EQ(of_stars("[distances]", "[core]").find("n.toml:12: no key is called 'core'; there are kind"), 0u);
  EXPECT_EQ(of_stars("margin = 12", "margin = 11"),
            "n.toml:4: 'margin' is 11; with a grid of 2 a multiple of that is needed");
  EXPECT_EQ(of_stars("rays = 8", "rays = 2"),
            "n.toml:14: [distances]: 'rays' is 2; a whole number from 3 to 255 is needed");
  EXPECT_EQ(of_stars("overlap = 0.3", "overlap = 3"),
            "n.toml:16: [distances]: 'overlap' is 3; a number from 0 to 1 is needed");
  EXPECT_EQ(of_stars("rays = 8\n", ""), "n.toml:12: [distances]: 'rays' is missing");
  EXPECT_EQ(with(support::hover_description(64, 8), "[0, 1]", "[0, 1, 2]"),
            "n.toml:14: [distances]: 'channels' has 3; two are needed, of the horizontal and the vertical one");
  EXPECT_EQ(with(support::hover_description(64, 8), "[distances]", "[distance]").find("n.toml:12: no key is"), 0u);
}

TEST(NetworkDescription, ItsTextDependsOnValuesAlone) {
  const std::string text = darkness_description(64, 8);
  const NetworkDescription one = parse_network_description(text, "n.toml");
  EXPECT_EQ(text_of(one), text_of(parse_network_description("# words\n" + text, "m.toml")));
  NetworkDescription other = one;
  other.second.threshold = .36;
  EXPECT_NE(text_of(one), text_of(other));
}

TEST(NetworkDescription, ProbabilitiesBecomeScores) {
  EXPECT_EQ(score_of_probability(.5), 128);
  EXPECT_EQ(score_of_probability(std::exp(1) / (1 + std::exp(1))), 144);
  EXPECT_EQ(score_of_probability(.001), 17);
  EXPECT_EQ(score_of_probability(.999), 239);
}

/// Gives what `compute` says for each number of a field; an output of `side` pixels.
class MadeUpNetwork : public NetworkInstance {
 public:
  using Compute = std::function<float(int channel, int x, int y, const float* input)>;
  MadeUpNetwork(int side, Compute compute, int channels = 2)
      : side_(side), channels_(channels), compute_(std::move(compute)) {}

  std::array<NetworkOutput, 2> run(std::span<const float> input) override {
    values_.clear();
    for (int channel = 0; channel < channels_; ++channel)
      for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) values_.push_back(compute_(channel, x, y, input.data()));
    const NetworkOutput output{{1, channels_, side_, side_}, values_.data()};
    return {output, output};
  }
  std::int64_t bytes() const override { return 1; }

 private:
  const int side_, channels_;
  const Compute compute_;
  std::vector<float> values_;
};

struct Scores {
  int width;
  std::vector<std::uint8_t> nucleus, core;

  int nucleus_at(std::int64_t x, std::int64_t y) const { return nucleus[static_cast<std::size_t>(y * width + x)]; }
};

/// A slide whose pixel (x, y) has red and green that say where it is.
std::vector<Rgb> pixels_of(const Rect& region) {
  std::vector<Rgb> pixels;
  for (std::int64_t y = region.y; y < region.bottom(); ++y)
    for (std::int64_t x = region.x; x < region.right(); ++x)
      pixels.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 7});
  return pixels;
}

Scores scored(const NetworkDescription& description, int side, MadeUpNetwork::Compute compute, const Rect& region,
              std::int64_t width, std::int64_t height) {
  ScoredNetwork network(description, std::make_unique<MadeUpNetwork>(side, std::move(compute)));
  const std::vector<Rgb> pixels = pixels_of(region);
  const auto w = static_cast<int>(region.width), h = static_cast<int>(region.height);
  Scores scores{w, std::vector<std::uint8_t>(pixels.size(), 9), std::vector<std::uint8_t>(pixels.size(), 9)};
  network.score({pixels.data(), w, h, w}, region, width, height, {scores.nucleus.data(), w, h, w},
                {scores.core.data(), w, h, w});
  return scores;
}

/// Fields of 32 px. The 20 px in the middle are used.
NetworkDescription small_fields(Activation activation = Activation::none) {
  NetworkDescription description = parse_network_description(darkness_description(32, 6), "n.toml");
  description.nucleus.output = description.second.output = "maps";
  description.activation = activation;
  return description;
}

TEST(ScoredNetwork, APixelHasTheScoreOfItsFieldWhateverTheRegionIs) {
  // Depends on the place in the field and on the pixel.
  const auto compute = [](int channel, int x, int y, const float* input) {
    return .1f + static_cast<float>((x * 7 + y * 3 + channel) % 13) * .02f + input[y * 32 + x] * .3f;
  };
  const Scores whole = scored(small_fields(), 32, compute, {0, 0, 130, 110}, 130, 110);
  for (const Rect& region : {Rect{17, 13, 90, 80}, Rect{60, 40, 70, 70}, Rect{0, 50, 51, 60}}) {
    const Scores part = scored(small_fields(), 32, compute, region, 130, 110);
    const std::int64_t reach = reach_of_fields(small_fields());
    EXPECT_EQ(reach, 25);
    std::size_t compared = 0;
    for (std::int64_t y = region.y; y < region.bottom(); ++y)
      for (std::int64_t x = region.x; x < region.right(); ++x) {
        const bool inside = (x >= region.x + reach || region.x == 0) && (y >= region.y + reach || region.y == 0) &&
                            (x < region.right() - reach || region.right() == 130) &&
                            (y < region.bottom() - reach || region.bottom() == 110);
        if (!inside) continue;
        ++compared;
        ASSERT_EQ(part.nucleus_at(x - region.x, y - region.y), whole.nucleus_at(x, y)) << x << " " << y;
      }
    EXPECT_GT(compared, 500u);
  }
}

TEST(ScoredNetwork, SeesWhiteBeyondTheSlideAndScoresOfItsOwnPixels) {
  // The first field begins 6 px before the slide. Outputs say what is at their place.
  const auto red = [](int, int x, int y, const float* input) { return input[y * 32 + x]; };
  const Scores scores = scored(small_fields(), 32, red, {0, 0, 30, 30}, 30, 30);
  EXPECT_EQ(scores.nucleus_at(0, 0), 0);
  for (const int x : {1, 5, 19, 20, 29}) EXPECT_EQ(scores.nucleus_at(x, 3), score_of_probability(x / 255.)) << x;
  const auto before = [](int, int x, int y, const float* input) { return input[y * 32 + std::max(x - 3, 0)]; };
  const Scores shifted = scored(small_fields(), 32, before, {0, 0, 30, 30}, 30, 30);
  EXPECT_EQ(shifted.nucleus_at(2, 0), 255) << "white";
  EXPECT_EQ(shifted.nucleus_at(23, 0), score_of_probability(20 / 255.)) << "of the next field";
}

TEST(ScoredNetwork, OutputsMayBeSmallerThanFields) {
  const auto red = [](int, int x, int y, const float* input) { return input[(y + 5) * 32 + x + 5]; };
  const Scores scores = scored(small_fields(), 22, red, {0, 0, 30, 30}, 30, 30);
  for (const int x : {1, 5, 19, 20, 29}) EXPECT_EQ(scores.nucleus_at(x, 3), score_of_probability(x / 255.)) << x;
}

TEST(ScoredNetwork, MakesProbabilitiesOfLogits) {
  const auto logits = [](int channel, int, int, const float*) { return channel == 0 ? -1.f : .5f; };
  const Scores sigmoid = scored(small_fields(Activation::sigmoid), 32, logits, {0, 0, 20, 20}, 20, 20);
  EXPECT_EQ(sigmoid.nucleus[0], 112);
  EXPECT_EQ(sigmoid.core[0], 136);
  const Scores softmax = scored(small_fields(Activation::softmax), 32, logits, {0, 0, 20, 20}, 20, 20);
  EXPECT_EQ(softmax.nucleus[0], 104) << "e^-1 to e^.5";
  EXPECT_EQ(softmax.core[0], 152);
  NetworkDescription both = small_fields(Activation::sigmoid);
  both.nucleus.channels = {0, 1};
  const double sum = 1 / (1 + std::exp(1)) + 1 / (1 + std::exp(-.5));
  EXPECT_EQ(scored(both, 32, logits, {0, 0, 20, 20}, 20, 20).nucleus[0], score_of_probability(sum));
}

TEST(ScoredNetwork, TakesValuesInTheOrderOfTheNetwork) {
  NetworkDescription description = small_fields();
  for (const bool blue_first : {false, true}) {
    description.blue_first = blue_first;
    const auto first = [](int, int x, int y, const float* input) { return input[y * 32 + x]; };
    EXPECT_EQ(scored(description, 32, first, {0, 0, 30, 30}, 30, 30).nucleus_at(25, 2),
              score_of_probability((blue_first ? 7 : 25) / 255.));
  }
}

TEST(ScoredNetwork, RefusesWhatIsNoProbabilityAndOtherShapes) {
  const auto said = [](const NetworkDescription& description, int side, float value) -> std::string {
    try {
      scored(
          description, side, [=](int, int x, int y, const float*) { return x == 9 && y == 10 ? value : 0.f; },
          {0, 0, 20, 20}, 20, 20);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(said(small_fields(), 32, 1.0005f), "nothing");
  EXPECT_EQ(
      said(small_fields(), 32, 1.5f),
      "its output 'maps' holds 1.5, which is no probability; if it is a logit, describe activation = \"sigmoid\" or "
      "\"softmax\" (channel 0, pixel x=3 y=4)");
  EXPECT_EQ(said(small_fields(Activation::softmax), 32, std::numeric_limits<float>::infinity()),
            "its output 'maps' holds infinity, which is no number (channel 0, pixel x=3 y=4)");
  EXPECT_NE(said(small_fields(), 18, 0).find("20 to 32 rows and columns"), std::string::npos);
  EXPECT_NE(said(small_fields(), 31, 0).find("20 to 32 rows and columns"), std::string::npos);
  NetworkDescription third = small_fields();
  third.second.channels = {2};
  EXPECT_EQ(said(third, 32, 0), "its output 'maps' is of 1x2x32x32 numbers: there is no channel 2, as described");
}

/// Fields of 32 px with three channels: a probability, and two distances.
NetworkDescription distance_fields(const std::string& text) {
  NetworkDescription description = parse_network_description(text, "n.toml");
  description.nucleus.output = description.second.output = "maps";
  for (int& channel : description.second.channels) ++channel;
  return description;
}

TEST(ScoredNetwork, MakesScoresOfDistances) {
  const NetworkDescription description = distance_fields(support::hover_description(32, 6));
  // Nuclei of 10 pixels side by side: the horizontal distance rises in each, and falls between them.
  const auto compute = [](int channel, int x, int y, const float* input) {
    const auto at = static_cast<int>(std::lround(input[y * 32 + x] * 255));  // the place on the slide
    return channel == 0 ? .8f : channel == 1 ? -1 + static_cast<float>(at % 10) / 4.5f : 0.f;
  };
  const auto scored_in = [&](const Rect& region) {
    ScoredNetwork network(description, std::make_unique<MadeUpNetwork>(32, compute, 3));
    const std::vector<Rgb> pixels = pixels_of(region);
    const auto w = static_cast<int>(region.width), h = static_cast<int>(region.height);
    Scores scores{w, std::vector<std::uint8_t>(pixels.size(), 9), std::vector<std::uint8_t>(pixels.size(), 9)};
    network.score({pixels.data(), w, h, w}, region, 130, 110, {scores.nucleus.data(), w, h, w},
                  {scores.core.data(), w, h, w});
    return scores;
  };
  const Scores whole = scored_in({0, 0, 130, 110});
  const auto core_at = [](const Scores& scores, std::int64_t x, std::int64_t y) {
    return scores.core[static_cast<std::size_t>(y * scores.width + x)];
  };
  EXPECT_EQ(whole.nucleus_at(45, 50), 204);
  EXPECT_EQ(core_at(whole, 45, 50), 204);
  EXPECT_LT(core_at(whole, 49, 50), 100);
  EXPECT_LT(core_at(whole, 50, 50), 100);
  const Scores part = scored_in({17, 13, 90, 80});
  const std::int64_t reach = reach_of_fields(description);
  for (std::int64_t y = 13 + reach; y < 93 - reach; ++y)
    for (std::int64_t x = 17 + reach; x < 107 - reach; ++x)
      ASSERT_EQ(core_at(part, x - 17, y - 13), core_at(whole, x, y)) << x << " " << y;
}

TEST(ScoredNetwork, MakesCandidatesOfPointsAndRays) {
  const NetworkDescription description = distance_fields(support::star_description(32, 6));
  // Outputs of 16 points, each at every second pixel. Point and place tell each other.
  const auto compute = [](int channel, int x, int y, const float* input) {
    const float at = input[2 * y * 32 + 2 * x] * 255;
    if (channel == 0) return std::lround(at) % 8 == 4 ? .7f : .2f;
    return channel == 1 ? -3.f : at / 10 + static_cast<float>(channel);
  };
  const auto candidates_in = [&](const Rect& region, double longest) {
    ScoredNetwork network(description, std::make_unique<MadeUpNetwork>(16, compute, 9));
    const std::vector<Rgb> pixels = pixels_of(region);
    const auto w = static_cast<int>(region.width), h = static_cast<int>(region.height);
    return network.candidates({pixels.data(), w, h, w}, region, 130, 110, longest);
  };
  const StarCandidates whole = candidates_in({0, 0, 130, 110}, 100);
  const Stars stars = whole.stars();
  EXPECT_EQ(stars.points.size(), 16u * 55u);
  EXPECT_EQ(stars.directions, 8);
  std::set<std::array<std::int64_t, 2>> places;
  for (std::size_t i = 0; i < stars.points.size(); ++i) {
    const StarPoint& point = stars.points[i];
    const double x = static_cast<double>(point.x) / kStarUnit - .5;
    EXPECT_EQ(point.x % (8 * kStarUnit), 4 * kStarUnit + kStarUnit / 2);
    EXPECT_EQ(point.y % (2 * kStarUnit), kStarUnit / 2);
    EXPECT_EQ(stars.rays[i * 8], 0) << "a distance below 0";
    EXPECT_NEAR(stars.rays[i * 8 + 1], (x / 10 + 2) * kStarUnit, 1);
    places.insert({point.x, point.y});
  }
  EXPECT_EQ(places.size(), stars.points.size());
  const StarCandidates part = candidates_in({17, 13, 90, 80}, 100);
  EXPECT_FALSE(part.stars().points.empty());
  for (const StarPoint& point : part.stars().points) EXPECT_TRUE(places.contains({point.x, point.y}));
  // Rays of up to x / 10 + 8.
  const StarCandidates shorter = candidates_in({0, 0, 130, 110}, 14.5);
  EXPECT_EQ(shorter.stars().points.size(), 8u * 55u);
}

}  // namespace
}  // namespace starpath
