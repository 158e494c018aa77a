// `--network` and `starpath network check` from the command line: bytes, resuming, and networks that cannot be taken.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/command.hpp"
#include "tests/apps/kills.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

using support::darkness_description;
using support::darkness_model;
using support::hover_description;
using support::hover_model;
using support::OnnxModel;
using support::star_description;
using support::star_model;
using support::with_channels_last;
using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

constexpr int kField = 64, kMargin = 8;

/// A folder with a network that finds what is dark, dark.onnx, and its description.
class NetworkCommand : public testing::Test {
 protected:
  NetworkCommand() { write("dark", darkness_model(kField), darkness_description(kField, kMargin)); }

  void write(const std::string& name, const OnnxModel& model, const std::string& description) const {
    model.write(folder_ / (name + ".onnx"));
    std::ofstream(folder_ / (name + ".toml")) << description;
  }
  std::string arguments(const std::string& network, const std::string& more = "") const {
    return "segment synthetic:900x700,seed=7,mpp=0.5 --quiet --export none --network " + folder_ / (network + ".onnx") +
           " " + more;
  }
  test::Outcome run(const std::string& out, const std::string& network, const std::string& more = "") const {
    return shell("starpath " + arguments(network, more) + " --out " + folder_ / out);
  }
  /// One line with these words, exit code 3, no results: of a run and of a check.
  void expect_refused(const std::string& network, const std::vector<std::string>& words) const {
    SCOPED_TRACE(network);
    expect_one_line(run("refused", network), 3, words);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
    expect_one_line(shell("starpath network check " + folder_ / (network + ".onnx")), 3, words);
  }
  /// The same of dark.onnx after a change, and its description with `from` replaced by `to`.
  void expect_model_refused(const std::function<void(OnnxModel&)>& change,
                            const std::vector<std::string>& words) const {
    OnnxModel model = darkness_model(kField);
    change(model);
    write("changed", model, darkness_description(kField, kMargin));
    expect_refused("changed", words);
  }
  void expect_description_refused(const std::string& from, const std::string& to,
                                  const std::vector<std::string>& words) const {
    std::string text = darkness_description(kField, kMargin);
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
    write("described", darkness_model(kField), text);
    expect_refused("described", words);
  }

  const TemporaryFolder folder_;
};

#if STARPATH_RUNS_NETWORKS

TEST_F(NetworkCommand, FindsTheSameNucleiUnderEachPolicyAndInTilesOfAnySize) {
  // Without a margin outputs depend on where fields begin, which no tile and no worker decides.
  write("narrow", darkness_model(kField), darkness_description(kField, 0));
  for (const std::string network : {"dark", "narrow"}) {
    SCOPED_TRACE(network);
    ASSERT_EQ(run("one_" + network, network, "--cpus 1").code, 0);
    const auto expected = test::outlines(folder_ / ("one_" + network));
    EXPECT_GT(expected.size(), 60u);
    for (const std::string options : {"--cpus 2 --policy apex --window 2", "--tile 256 --policy eft",
                                      "--tile 301 --cpus 2 --policy pats", "--tile 512 --non-pipelined --cpus 2"}) {
      SCOPED_TRACE(options);
      ASSERT_EQ(run("other", network, options + " --overwrite").code, 0);
      EXPECT_EQ(test::outlines(folder_ / "other"), expected);
    }
  }
}

TEST_F(NetworkCommand, ThatGivesDistancesFindsTheSameNucleiHoweverTilesAreCut) {
  write("hover", hover_model(kField), hover_description(kField, kMargin));
  write("stars", star_model(kField), star_description(kField, 12));
  for (const std::string network : {"hover", "stars"}) {
    SCOPED_TRACE(network);
    const auto told = run("one_" + network, network, "--cpus 1");
    ASSERT_EQ(told.code, 0) << told.output;
    const auto expected = test::outlines(folder_ / ("one_" + network));
    EXPECT_GT(expected.size(), 60u);
    for (const std::string options : {"--cpus 2 --policy apex --window 2 --tile 384", "--tile 401 --policy eft",
                                      "--tile 512 --non-pipelined --cpus 2"}) {
      SCOPED_TRACE(options);
      ASSERT_EQ(run("other", network, options + " --overwrite").code, 0);
      EXPECT_EQ(test::outlines(folder_ / "other"), expected);
    }
  }
  EXPECT_NE(test::outlines(folder_ / "one_stars"), test::outlines(folder_ / "one_hover"));
  // The maps of a description decide, and so do their thresholds.
  std::string few = star_description(kField, 12);
  few.replace(few.find("threshold = 0.6"), 15, "threshold = 0.9");
  write("few", star_model(kField), few);
  ASSERT_EQ(run("few", "few").code, 0);
  EXPECT_LT(test::outlines(folder_ / "few").size(), test::outlines(folder_ / "one_stars").size());
  ASSERT_EQ(run("raised", "hover", "--set core_score=200").code, 0);
  EXPECT_NE(test::outlines(folder_ / "raised"), test::outlines(folder_ / "one_hover"));
}

TEST_F(NetworkCommand, ThatGivesDistancesIsChecked) {
  write("hover", hover_model(kField), hover_description(kField, kMargin));
  expect_says(shell("starpath network check " + folder_ / "hover.onnx"), 0,
              {"np: 1x1x64x64, hv: 1x2x64x64", "channels 0 and 1 of hv, cores from 0.4 on", "looks 6 px far"});
  write("stars", star_model(kField), star_description(kField, 12));
  expect_says(shell("starpath network check " + folder_ / "stars.onnx"), 0,
              {"prob: 1x1x32x32, dist: 1x8x32x32", "8 rays of dist, a point for each 2x2 px", "looks 10 px far"});
  write("narrow", star_model(kField), star_description(kField, 8));
  expect_one_line(shell("starpath network check " + folder_ / "narrow.onnx"), 3,
                  {"narrow.toml: margin = 8 is too small", "10 px or more"});
  expect_one_line(run("out", "stars", "--halo 200 --tile 512"), 2, {"--halo 200 cannot be with --network"});
  expect_one_line(run("out", "stars", "--set core_score=100"), 2, {"core_score", "stars.onnx", "leave them out"});
  OnnxModel coarse = star_model(kField);
  coarse.nodes[4].lists["strides"] = {4, 4};
  write("coarse", coarse, star_description(kField, 12));
  expect_refused("coarse", {"its output 'dist' is of 1x8x16x16 numbers", "a grid of 2 it must have 20 to 32 rows"});
  OnnxModel odd = star_model(kField);
  odd.weights[5].values[3] = std::numeric_limits<float>::quiet_NaN();
  write("odd", odd, star_description(kField, 12));
  expect_refused("odd", {"its output 'dist' holds nan, which is no number (channel 3"});
}

TEST_F(NetworkCommand, FindsTheSameNucleiWithTheChannelsLast) {
  write("first", darkness_model(kField), darkness_description(kField, kMargin));
  write("stars", star_model(kField), star_description(kField, 12));
  write("first_last", with_channels_last(darkness_model(kField)), darkness_description(kField, kMargin));
  write("stars_last", with_channels_last(star_model(kField)), star_description(kField, 12));
  for (const std::string network : {"first", "stars"}) {
    SCOPED_TRACE(network);
    ASSERT_EQ(run("one_" + network, network).code, 0);
    ASSERT_EQ(run("last_" + network, network + "_last").code, 0);
    EXPECT_GT(test::outlines(folder_ / ("one_" + network)).size(), 60u);
    EXPECT_EQ(test::outlines(folder_ / ("last_" + network)), test::outlines(folder_ / ("one_" + network)));
  }
  expect_says(shell("starpath network check " + folder_ / "stars_last.onnx"), 0,
              {"pixels: 1x64x64x3", "prob: 1x32x32x1, dist: 1x32x32x8", "looks 10 px far"});
  OnnxModel open = with_channels_last(darkness_model(kField));
  open.inputs[0].sides = {-1, -1, -1, 3};
  write("open", open, darkness_description(kField, kMargin));
  expect_refused("open", {"'pixels' has no fixed size (?x?x?x3); export it with the size 1x64x64x3"});
  open.inputs[0].sides = {1, 32, 32, 3};
  write("open", open, darkness_description(kField, kMargin));
  expect_refused("open", {"takes 1x32x32x3 numbers", "1x64x64x3 (images, rows, columns, channels)"});
}

TEST_F(NetworkCommand, FindsInARegionWhatItFindsThereInTheSlide) {
  const std::string slide = "starpath segment synthetic:900x700,seed=7,mpp=0.5 --quiet --export none --network " +
                            folder_ / "dark.onnx" + " --set stain_check=0,background_level=220 --out ";
  ASSERT_EQ(shell(slide + folder_ / "whole").code, 0);
  ASSERT_EQ(shell(slide + folder_ / "part" + " --roi 211,157,402,303").code, 0);
  const auto whole = test::outlines(folder_ / "whole"), part = test::outlines(folder_ / "part");
  EXPECT_GT(part.size(), 10u);
  for (const auto& [first, outline] : part) {
    ASSERT_TRUE(whole.contains(first));
    EXPECT_EQ(whole.at(first), outline);
  }
}

TEST_F(NetworkCommand, KilledRunsGoOnToTheSameNuclei) {
  const std::string command = arguments("dark", "--tile 128 --cpus 1");
  const double seconds = test::seconds_of(command + " --out " + folder_ / "whole");
  test::kill_and_resume(command, folder_ / "killed", seconds, 3);
  EXPECT_EQ(test::outlines(folder_ / "killed"), test::outlines(folder_ / "whole"));
}

TEST_F(NetworkCommand, FileAndDescriptionArePartOfTheRun) {
  ASSERT_EQ(run("out", "dark").code, 0);
  EXPECT_EQ(run("out", "dark", "--resume").code, 0);
  write("dark", darkness_model(kField), "# words do not count\n" + darkness_description(kField, kMargin));
  EXPECT_EQ(run("out", "dark", "--resume").code, 0);
  write("dark", darkness_model(kField), darkness_description(kField, kMargin + 1));
  expect_says(run("out", "dark", "--resume"), 5, {"network"});
  OnnxModel other = darkness_model(kField);
  other.weights[3].values[1] = 3.5f;
  write("dark", other, darkness_description(kField, kMargin));
  expect_one_line(run("out", "dark", "--resume"), 5, {"network"});
}

TEST_F(NetworkCommand, TellsWhatANetworkTakesAndGives) {
  expect_says(shell("starpath network check " + folder_ / "dark.onnx"), 0,
              {"4 layers, opset 11, by a test", "image: 1x3x64x64, rgb, at 0.5 um/px", "maps: 1x2x64x64",
               "channel 1 of maps, from 0.35 on", "margin     8 px", "looks 3 px far", "MiB of each worker",
               "which gives 48x48 px, by " STARPATH_NETWORKS_ENGINE " "});
  const auto told = nlohmann::json::parse(shell("starpath network check --json " + folder_ / "dark.onnx").output);
  EXPECT_EQ(told["reach"], 3);
  EXPECT_EQ(told["reach_is_whole_field"], false);
  EXPECT_GT(told["memory_bytes"], 3 * 4 * kField * kField);
  EXPECT_GT(told["field_seconds"], 0);
  EXPECT_TRUE(told["engine"].get<std::string>().starts_with(STARPATH_NETWORKS_ENGINE " "));
}

TEST_F(NetworkCommand, CheckMeasuresHowFarANetworkLooks) {
  write("exact", darkness_model(kField), darkness_description(kField, 3));
  EXPECT_EQ(shell("starpath network check " + folder_ / "exact.onnx").code, 0);
  write("narrow", darkness_model(kField), darkness_description(kField, 2));
  expect_one_line(shell("starpath network check " + folder_ / "narrow.onnx"), 3,
                  {"narrow.toml: margin = 2 is too small", "3 px or more", "write margin = 3"});
  // The mean of all pixels is added to each.
  OnnxModel global = darkness_model(kField);
  global.nodes[2].outputs = {"local"};
  global.nodes.insert(global.nodes.begin() + 3, {{"GlobalAveragePool", "mean", {"local"}, {"means"}},
                                                 {"Add", "together", {"local", "means"}, {"logits"}}});
  write("global", global, darkness_description(kField, kMargin));
  expect_one_line(shell("starpath network check " + folder_ / "global.onnx"), 3,
                  {"the whole field: take a field of more than 64 px"});
}

TEST_F(NetworkCommand, SaysInOneLineWhatIsWrongWithANetwork) {
  expect_model_refused([](OnnxModel& model) { model.inputs[0].sides[1] = 4; },
                       {"changed.onnx: its input 'image' takes 1x4x64x64", "changed.toml describes 1x3x64x64"});
  expect_model_refused(
      [](OnnxModel& model) {
        model.inputs[0].sides = {1, 3, -1, -1};
      },
      {"'image' has no fixed size (1x3x?x?); export it with the size 1x3x64x64"});
  expect_model_refused([](OnnxModel& model) { model.inputs[0].type = 10; },
                       {"'image' takes numbers of ONNX's type 10"});
  expect_model_refused(
      [](OnnxModel& model) {
        model.inputs.push_back({"scale", {1}});
      },
      {"has the inputs 'image', 'scale'"});
  expect_model_refused(
      [](OnnxModel& model) {
        model.outputs.push_back({"seen", {1, 2, 64, 64}});
      },
      {"[nucleus] says no output", "'maps', 'seen'"});
  expect_model_refused([](OnnxModel& model) { model.nodes[3].op = "Sigmund"; },
                       {"changed.onnx: ", "layer 'squash'", "Sigmund"});
  expect_model_refused(
      [](OnnxModel& model) {
        model.weights[2].sides = {2, 2, 3, 2};
      },
      {"changed.onnx: ", STARPATH_NETWORKS_ENGINE});
  expect_model_refused([](OnnxModel& model) { model.weights[3].values[0] = std::numeric_limits<float>::quiet_NaN(); },
                       {"changed.onnx: its output 'maps' holds nan, which is no number (channel 0, pixel x=0 y=0)"});
  expect_model_refused([](OnnxModel& model) { model.nodes[3].op = "Relu"; },
                       {"its output 'maps' holds", "no probability", "sigmoid"});
  expect_model_refused(
      [](OnnxModel& model) {
        model.nodes[3] = {"GlobalAveragePool", "mean", {"logits"}, {"maps"}};
      },
      {"its output 'maps' is of 1x2x1x1 numbers", "48 to 64 rows and columns"});
  std::filesystem::resize_file(folder_ / "dark.onnx", 500);
  expect_refused("dark", {"dark.onnx: is no ONNX file or is damaged (byte "});
}

TEST_F(NetworkCommand, SaysWhereOutputsAndDescriptionDiffer) {
  expect_description_refused("channels = [1]", "channels = [2]",
                             {"described.onnx: its output 'maps' is of 1x2x64x64 numbers: there is no channel 2"});
  expect_description_refused("channels = [0]", "output = \"map\"\nchannels = [0]",
                             {"described.toml: [nucleus] names the output 'map', but", "has 'maps'"});
}

TEST_F(NetworkCommand, ANumberThatIsNoneCostsTheTile) {
  // The root of (red - .945) (red - .995) is no number in the lightest tissue. The field that is tried has no such red.
  OnnxModel model = darkness_model(kField);
  model.weights.push_back({"low", {1, 2, 1, 1}, {-.945f, 1}});
  model.weights.push_back({"high", {1, 2, 1, 1}, {-.995f, 1}});
  model.nodes[1] = {"Sqrt", "root", {"product"}, {"rectified"}};
  model.nodes.insert(model.nodes.begin() + 1, {{"Add", "lower", {"seen", "low"}, {"lowered"}},
                                               {"Add", "higher", {"seen", "high"}, {"raised"}},
                                               {"Mul", "multiply", {"lowered", "raised"}, {"product"}}});
  write("roots", model, darkness_description(kField, kMargin));
  expect_says(run("out", "roots", "--tile 256"), 6, {"infer: its output 'maps' holds", "which is no number"});
}

TEST_F(NetworkCommand, RefusesOptionsThatCannotBeWithANetwork) {
  expect_one_line(run("out", "dark", "--detector levels"), 2, {"--network", "--detector"});
  expect_one_line(run("out", "dark", "--work-mpp 0.25"), 2, {"--work-mpp 0.25", "--network", "0.5 um/px"});
  expect_one_line(run("out", "dark", "--halo 40"), 2, {"--halo 40", "87 or more"});
  expect_one_line(shell("starpath segment synthetic:300x200 --set detector=2 --out " + folder_ / "out"), 2,
                  {"detector=2", "--network FILE.onnx"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(NetworkCommand, PreviewsShowWhatItFinds) {
  const auto told = shell("starpath preview synthetic:900x700,seed=7,mpp=0.5 --fields 1 --json --out " +
                          folder_ / "page.html" + " --network " + folder_ / "dark.onnx");
  EXPECT_EQ(told.code, 0) << told.output;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "page.html"));
}

#else

TEST_F(NetworkCommand, NeedsABuildWithAnEngine) {
  expect_one_line(run("out", "dark"), 2,
                  {"dark.onnx: this starpath was built without ONNX Runtime", "libopencv-dnn-dev"});
  expect_one_line(shell("starpath network check " + folder_ / "dark.onnx"), 2, {"libopencv-dnn-dev"});
}

#endif

TEST_F(NetworkCommand, SaysWhatIsWrongWithADescription) {
  expect_description_refused("field = 64", "field = 8", {"described.toml:3: 'field' is 8", "16 to 4096"});
  expect_description_refused("margin = 8", "margins = 8", {"described.toml:4: no key is called 'margins'"});
  expect_description_refused("margin = 8", "margin = 30", {"described.toml:4: 'margin' 30 leaves 4 of the field's 64"});
  expect_description_refused("\"probability\"", "\"cellpose\"",
                             {"described.toml:1: 'kind' is \"cellpose\"; it can be probability, hover, stardist"});
  expect_description_refused("threshold = 0.5", "threshold = 1", {"[nucleus]: 'threshold' is 1"});
  expect_description_refused("field = 64", "field = ", {"described.toml:3: is no TOML"});
  expect_description_refused("field = 64", "field = 128", {"takes 1x3x64x64 numbers, but", "describes 1x3x128x128"});
  std::filesystem::remove(folder_ / "dark.toml");
  expect_refused("dark", {"dark.toml", "the description of a network is beside its ONNX file"});
}

}  // namespace
}  // namespace starpath
