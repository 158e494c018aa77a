// Descriptions of networks of each kind.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/pipelines/made_up_network.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

using support::darkness_description;
using test::network_refusal;

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
    return network_refusal([&] { parse_network_description(text, "n.toml"); });
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
    return network_refusal([&] { parse_network_description(text, "n.toml"); });
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

}  // namespace
}  // namespace starpath
