// `starpath instances --kind probability`: scores of a slide, in every form.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/slides/slide.hpp"
#include "tests/apps/instances.hpp"

namespace starpath {
namespace {

using support::write_npy;
using test::Instances;
using test::kMapHeight;
using test::kMapSlide;
using test::kMapWidth;
using test::shell;

using InstanceScoresCommand = Instances;

/// Scores by darkness: of nuclei and of their insides.
struct Scores {
  std::vector<float> both;  // channels last
  std::vector<std::uint8_t> bytes;
};

Scores painted_scores() {
  const auto slide = io::open_slide(kMapSlide);
  std::vector<Rgb> pixels(kMapWidth * kMapHeight);
  slide->read(0, 0, 0, {pixels.data(), kMapWidth, kMapHeight, kMapWidth});
  Scores scores;
  for (const Rgb& pixel : pixels) {
    const int dark = std::min(255, (255 - pixel.r) * 5 / 4), inside = std::min(255, 255 - pixel.r);
    for (const int score : {dark, inside}) {
      scores.both.push_back(static_cast<float>(score) / 255);
      scores.bytes.push_back(static_cast<std::uint8_t>(score));
    }
  }
  return scores;
}

TEST_F(InstanceScoresCommand, GiveTheSameNucleiHoweverTheyAreStoredAndComputed) {
  const Scores scores = painted_scores();
  write_npy(folder_ / "bytes.npy", {kMapHeight, kMapWidth, 2}, scores.bytes);
  write_npy(folder_ / "shares.npy", {kMapHeight, kMapWidth, 2}, scores.both);
  std::vector<std::uint8_t> nucleus, core;
  for (std::size_t i = 0; i < scores.bytes.size(); i += 2) {
    nucleus.push_back(scores.bytes[i]);
    core.push_back(scores.bytes[i + 1]);
  }
  write_npy(folder_ / "nucleus.npy", {kMapHeight, kMapWidth}, nucleus);
  write_npy(folder_ / "core.npy", {kMapHeight, kMapWidth}, core);
  const std::string kind = "--kind probability --set nucleus_score=120,core_score=120 ";
  const auto expected = outlines_of(folder_ / "bytes.npy", "bytes", kind);
  EXPECT_GT(expected.size(), 60u);
  EXPECT_EQ(outlines_of(folder_ / "shares.npy", "shares", kind + "--cpus 1 --tile 256"), expected);
  EXPECT_EQ(outlines_of(folder_ / "nucleus.npy " + folder_ / "core.npy", "two", kind + "--tile 300 --policy apex"),
            expected);
  EXPECT_EQ(outlines_of(folder_ / "bytes.npy", "whole", kind + "--tile 256 --non-pipelined"), expected);
  // Another level finds other nuclei: both channels count.
  EXPECT_NE(outlines_of(folder_ / "bytes.npy", "other", "--kind probability --set nucleus_score=120,core_score=160"),
            expected);
}

TEST_F(InstanceScoresCommand, AtAnotherResolutionDoNotDependOnTiles) {
  const Scores scores = painted_scores();
  std::vector<std::uint8_t> fine;
  for (int y = 0; y < 2 * kMapHeight; ++y)
    for (int x = 0; x < 2 * kMapWidth; ++x)
      fine.push_back(scores.bytes[static_cast<std::size_t>(2 * (y / 2 * kMapWidth + x / 2))]);
  write_npy(folder_ / "fine.npy", {2 * kMapHeight, 2 * kMapWidth}, fine);
  std::vector<std::uint8_t> coarse;
  for (int y = 0; y < kMapHeight; y += 2)
    for (int x = 0; x < kMapWidth; x += 2)
      coarse.push_back(scores.bytes[static_cast<std::size_t>(2 * (y * kMapWidth + x))]);
  write_npy(folder_ / "coarse.npy", {kMapHeight / 2, kMapWidth / 2}, coarse);
  for (const auto& [name, mpp] : {std::pair<std::string, std::string>{"fine", "0.25"}, {"coarse", "1"}}) {
    const std::string kind = "--kind probability --set core_score=140 --map-mpp " + mpp;
    const auto expected = outlines_of(folder_ / (name + ".npy"), name, kind);
    EXPECT_GT(expected.size(), 60u);
    EXPECT_EQ(outlines_of(folder_ / (name + ".npy"), name + "_tiles", kind + " --tile 256"), expected);
  }
}

TEST_F(InstanceScoresCommand, SayInOneLineWhatIsWrong) {
  write_npy(folder_ / "short.npy", {kMapHeight, kMapWidth}, std::vector<std::uint16_t>(kMapWidth * kMapHeight));
  refused(folder_ / "short.npy", "--kind probability", 3, {"short.npy: holds uint16", "uint8"});
  std::vector<float> scores(kMapWidth * kMapHeight);
  write_npy(folder_ / "fine.npy", {kMapHeight, kMapWidth}, scores);
  refused(folder_ / "fine.npy", "--kind probability --numbers piece", 2, {"--numbers piece"});
  refused(folder_ / "fine.npy", "--kind probability --set core_score=auto", 2, {"core_score", "auto"});
  refused(folder_ / "fine.npy " + folder_ / "short.npy " + folder_ / "fine.npy", "--kind probability", 3,
          {"3 channels", "1 or 2"});
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 7.5F}) {
    scores[kMapWidth * 9 + 4] = value;
    write_npy(folder_ / "odd.npy", {kMapHeight, kMapWidth}, scores);
    test::expect_says(shell(run_text(folder_ / "odd.npy", std::isnan(value) ? "nan" : "large", "--kind probability")),
                      6, {std::isnan(value) ? "holds nan at x=4 y=9" : "holds 7.5 at x=4 y=9"});
  }
}

}  // namespace
}  // namespace starpath
