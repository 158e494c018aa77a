// `starpath instances`: maps of slides that were painted, in every form, and maps that cannot be of a slide.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "io/maps/map_image.hpp"
#include "io/slides/slide.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/npy_file.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath {
namespace {

using support::write_npy;
using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

constexpr int kWidth = 900, kHeight = 700;
const std::string kSlide = "synthetic:900x700,seed=7,mpp=0.5";

/// What `segment` finds on the slide, with labels.tif and nuclei.csv. Without checks that leave nuclei out.
const std::string& segmented() {
  static const test::SharedFolder folder("instances_segmented", [](const test::SharedFolder& made) {
    const auto run =
        shell("starpath segment " + kSlide + " --quiet --export labels,csv --set stain_check=0 --out " + made / "out");
    ASSERT_EQ(run.code, 0) << run.output;
  });
  static const std::string out = folder / "out";
  return out;
}

/// The numbers of labels.tif.
std::vector<std::int32_t> painted_labels() {
  const io::MapImage map(segmented() + "/labels.tif");
  std::vector<double> values(kWidth * kHeight);
  map.read(0, {0, 0, kWidth, kHeight}, values.data(), kWidth);
  return {values.begin(), values.end()};
}

/// Width times height of what is in the box.
template <class Number>
std::vector<Number> cut(const std::vector<Number>& all, int x, int y, int width, int height) {
  std::vector<Number> part;
  for (int j = y; j < y + height; ++j)
    part.insert(part.end(), all.begin() + j * kWidth + x, all.begin() + j * kWidth + x + width);
  return part;
}

class Instances : public testing::Test {
 protected:
  std::string run_text(const std::string& maps, const std::string& out, const std::string& more = "") const {
    return "starpath instances " + maps + " --slide " + kSlide + " --quiet --export none --out " + folder_ / out + " " +
           more;
  }
  /// Runs, and returns the outlines that were found.
  auto outlines_of(const std::string& maps, const std::string& out, const std::string& more = "") const {
    const auto run = shell(run_text(maps, out, more));
    EXPECT_EQ(run.code, 0) << run.output;
    return test::outlines(folder_ / out);
  }
  void refused(const std::string& maps, const std::string& more, int code,
               const std::vector<std::string>& words) const {
    expect_one_line(shell(run_text(maps, "refused", more)), code, words);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
  }

  const TemporaryFolder folder_;
};

using InstanceLabelsCommand = Instances;
using InstanceScoresCommand = Instances;

TEST_F(InstanceLabelsCommand, GiveBackTheNucleiOfTheSegmentationWithTheirFeatures) {
  const auto run = shell("starpath instances " + segmented() + "/labels.tif --kind labels --slide " + kSlide +
                         " --quiet --export labels,csv --out " + folder_ / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto expected = test::outlines(segmented());
  EXPECT_GT(expected.size(), 60u);
  EXPECT_EQ(test::outlines(folder_ / "out"), expected);
  EXPECT_TRUE(test::read_file(folder_ / "out/labels.tif") == test::read_file(segmented() + "/labels.tif"));
  EXPECT_TRUE(test::read_file(folder_ / "out/nuclei.csv") == test::read_file(segmented() + "/nuclei.csv"));
  EXPECT_EQ(shell("starpath verify " + folder_ / "out").code, 0);
}

TEST_F(InstanceLabelsCommand, AreTheSameUnderEachPolicyAndInTilesOfAnySize) {
  const std::string maps = segmented() + "/labels.tif --kind labels";
  const auto expected = test::outlines(segmented());
  EXPECT_EQ(outlines_of(maps, "one", "--cpus 1 --tile 256"), expected);
  EXPECT_EQ(outlines_of(maps, "two", "--cpus 2 --policy apex --window 2 --tile 300"), expected);
  EXPECT_EQ(outlines_of(maps, "whole", "--non-pipelined --tile 256 --policy eft"), expected);
}

TEST_F(InstanceLabelsCommand, ComeInEveryForm) {
  const auto expected = test::outlines(segmented());
  const std::vector<std::int32_t> all = painted_labels();
  write_npy(folder_ / "all.npy", {kHeight, kWidth}, all);
  EXPECT_EQ(outlines_of(folder_ / "all.npy", "npy", "--kind labels"), expected);

  // Pieces of one numbering, which nuclei cross.
  std::filesystem::create_directory(folder_ / "pieces");
  for (const auto& [x, width] : {std::pair{0, 333}, {333, 567}})
    for (const auto& [y, height] : {std::pair{0, 401}, {401, 299}})
      write_npy(folder_ / ("pieces/" + std::to_string(x) + "_" + std::to_string(y) + ".npy"), {height, width},
                cut(all, x, y, width, height));
  EXPECT_EQ(outlines_of(folder_ / "pieces", "pieces_out", "--kind labels --tile 256"), expected);

  // Where a number means something in its piece only, nuclei end at the border.
  const auto ended = outlines_of(folder_ / "pieces", "ended", "--kind labels --numbers piece");
  EXPECT_GT(ended.size(), expected.size());
  EXPECT_EQ(outlines_of(folder_ / "pieces", "ended_tiles", "--kind labels --numbers piece --tile 256"), ended);

  // At twice the resolution each number stands in four pixels.
  std::vector<std::int32_t> fine(all.size() * 4);
  for (int y = 0; y < 2 * kHeight; ++y)
    for (int x = 0; x < 2 * kWidth; ++x)
      fine[static_cast<std::size_t>(y * 2 * kWidth + x)] = all[static_cast<std::size_t>(y / 2 * kWidth + x / 2)];
  write_npy(folder_ / "fine.npy", {2 * kHeight, 2 * kWidth}, fine);
  EXPECT_EQ(outlines_of(folder_ / "fine.npy", "fine_out", "--kind labels --map-mpp 0.25"), expected);
  refused(folder_ / "fine.npy", "--kind labels", 3, {"1800x1400", "900x700 (0.5 um/px)", "--map-mpp"});
}

TEST_F(InstanceLabelsCommand, AreMissingWhereNoPieceIs) {
  const std::vector<std::int32_t> all = painted_labels();
  std::filesystem::create_directory(folder_ / "pieces");
  write_npy(folder_ / "pieces/0_0.npy", {kHeight, 400}, cut(all, 0, 0, 400, kHeight));
  write_npy(folder_ / "pieces/800_0.npy", {kHeight, 100}, cut(all, 800, 0, 100, kHeight));
  refused(folder_ / "pieces", "--kind labels", 3,
          {"2 pieces cover 350000 of 630000 pixels (55.6 %)", "--allow-missing"});
  const auto found = outlines_of(folder_ / "pieces", "out", "--kind labels --allow-missing");
  EXPECT_GT(found.size(), 20u);
  for (const auto& [first, contour] : found) EXPECT_TRUE(first.second < 400 || first.second >= 800);
  // Without the last column a resolution tells the size.
  std::filesystem::remove(folder_ / "pieces/800_0.npy");
  refused(folder_ / "pieces", "--kind labels --allow-missing", 3, {"400x700", "900x700 (0.5 um/px)"});
  const auto left = outlines_of(folder_ / "pieces", "left", "--kind labels --allow-missing --map-mpp 0.5");
  for (const auto& [first, contour] : left) EXPECT_LT(first.second, 400);
}

TEST_F(InstanceLabelsCommand, GoOnFromWhatIsThere) {
  const std::vector<std::int32_t> all = painted_labels();
  write_npy(folder_ / "all.npy", {kHeight, kWidth}, all);
  const std::string maps = folder_ / "all.npy", kind = "--kind labels ";
  ASSERT_EQ(shell(run_text(maps, "out", kind)).code, 0);
  EXPECT_EQ(shell(run_text(maps, "out", kind + "--resume")).code, 0);
  expect_one_line(shell(run_text(maps, "out", kind + "--resume --numbers piece")), 5, {"maps"});
  std::vector<std::int32_t> other = all;
  other[3] += 1;
  write_npy(folder_ / "all.npy", {kHeight, kWidth}, other);
  expect_one_line(shell(run_text(maps, "out", kind + "--resume")), 5, {"maps"});
}

TEST_F(InstanceLabelsCommand, SayInOneLineWhatIsWrong) {
  write_npy(folder_ / "float.npy", {kHeight, kWidth}, std::vector<float>(kWidth * kHeight));
  refused(folder_ / "float.npy", "--kind labels", 3, {"float.npy: holds float32", "int32"});
  write_npy(folder_ / "deep.npy", {kHeight, kWidth, 3}, std::vector<std::uint8_t>(kWidth * kHeight * 3));
  refused(folder_ / "deep.npy", "--kind labels", 3, {"deep.npy: 3 channels", "takes 1"});
  write_npy(folder_ / "small.npy", {kHeight - 50, kWidth}, std::vector<std::int32_t>(kWidth * (kHeight - 50)));
  refused(folder_ / "small.npy", "--kind labels", 3, {"900x650", "900x700"});
  refused(folder_ / "small.npy", "--kind labels --map-mpp 0.5", 3, {"900x650 pixels of 0.5 um", "900x700"});
  // Not stretched, though it lacks less than one part in a hundred.
  write_npy(folder_ / "cut.npy", {kHeight, kWidth - 8}, std::vector<std::int32_t>((kWidth - 8) * kHeight));
  refused(folder_ / "cut.npy", "--kind labels --map-mpp 0.5", 3, {"892x700 pixels of 0.5 um", "900x700"});
  std::filesystem::resize_file(folder_ / "small.npy", 5000);
  refused(folder_ / "small.npy", "--kind labels", 3, {"cut off", "5000 bytes", "585000 numbers of int32"});
  write_npy(folder_ / "all.npy", {kHeight, kWidth}, std::vector<std::int32_t>(kWidth * kHeight));
  refused(folder_ / "all.npy", "--kind labels --set detector=1", 2, {"detector=1"});
  refused(folder_ / "none.npy", "--kind labels", 3, {"none.npy"});
  // What no header tells is told by the tile.
  std::vector<std::int32_t> negative(kWidth * kHeight);
  negative[kWidth * 5 + 17] = -3;
  write_npy(folder_ / "negative.npy", {kHeight, kWidth}, negative);
  test::expect_says(shell(run_text(folder_ / "negative.npy", "negative", "--kind labels")), 6,
                    {"negative.npy: holds -3 at x=17 y=5"});
}

/// Scores by darkness: of nuclei and of their insides.
struct Scores {
  std::vector<float> both;  // channels last
  std::vector<std::uint8_t> bytes;
};

Scores painted_scores() {
  const auto slide = io::open_slide(kSlide);
  std::vector<Rgb> pixels(kWidth * kHeight);
  slide->read(0, 0, 0, {pixels.data(), kWidth, kHeight, kWidth});
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
  write_npy(folder_ / "bytes.npy", {kHeight, kWidth, 2}, scores.bytes);
  write_npy(folder_ / "shares.npy", {kHeight, kWidth, 2}, scores.both);
  std::vector<std::uint8_t> nucleus, core;
  for (std::size_t i = 0; i < scores.bytes.size(); i += 2) {
    nucleus.push_back(scores.bytes[i]);
    core.push_back(scores.bytes[i + 1]);
  }
  write_npy(folder_ / "nucleus.npy", {kHeight, kWidth}, nucleus);
  write_npy(folder_ / "core.npy", {kHeight, kWidth}, core);
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
  for (int y = 0; y < 2 * kHeight; ++y)
    for (int x = 0; x < 2 * kWidth; ++x)
      fine.push_back(scores.bytes[static_cast<std::size_t>(2 * (y / 2 * kWidth + x / 2))]);
  write_npy(folder_ / "fine.npy", {2 * kHeight, 2 * kWidth}, fine);
  std::vector<std::uint8_t> coarse;
  for (int y = 0; y < kHeight; y += 2)
    for (int x = 0; x < kWidth; x += 2) coarse.push_back(scores.bytes[static_cast<std::size_t>(2 * (y * kWidth + x))]);
  write_npy(folder_ / "coarse.npy", {kHeight / 2, kWidth / 2}, coarse);
  for (const auto& [name, mpp] : {std::pair<std::string, std::string>{"fine", "0.25"}, {"coarse", "1"}}) {
    const std::string kind = "--kind probability --set core_score=140 --map-mpp " + mpp;
    const auto expected = outlines_of(folder_ / (name + ".npy"), name, kind);
    EXPECT_GT(expected.size(), 60u);
    EXPECT_EQ(outlines_of(folder_ / (name + ".npy"), name + "_tiles", kind + " --tile 256"), expected);
  }
}

TEST_F(InstanceScoresCommand, SayInOneLineWhatIsWrong) {
  write_npy(folder_ / "short.npy", {kHeight, kWidth}, std::vector<std::uint16_t>(kWidth * kHeight));
  refused(folder_ / "short.npy", "--kind probability", 3, {"short.npy: holds uint16", "uint8"});
  std::vector<float> scores(kWidth * kHeight);
  write_npy(folder_ / "fine.npy", {kHeight, kWidth}, scores);
  refused(folder_ / "fine.npy", "--kind probability --numbers piece", 2, {"--numbers piece"});
  refused(folder_ / "fine.npy", "--kind probability --set core_score=auto", 2, {"core_score", "auto"});
  refused(folder_ / "fine.npy " + folder_ / "short.npy " + folder_ / "fine.npy", "--kind probability", 3,
          {"3 channels", "1 or 2"});
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 7.5F}) {
    scores[kWidth * 9 + 4] = value;
    write_npy(folder_ / "odd.npy", {kHeight, kWidth}, scores);
    test::expect_says(shell(run_text(folder_ / "odd.npy", std::isnan(value) ? "nan" : "large", "--kind probability")),
                      6, {std::isnan(value) ? "holds nan at x=4 y=9" : "holds 7.5 at x=4 y=9"});
  }
}

/// Discs that touch each other, in rows of `columns`: of each pixel a score, and the distances as HoVer-Net is taught
/// them, -1 to 1 over the width and the height of a nucleus.
struct Discs {
  static constexpr int kStep = 22, kRadius = 12, kColumns = 38, kRows = 29;
  std::vector<float> maps;  // channels last

  Discs() {
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const int column = std::clamp((x - 30) / kStep, 0, kColumns - 1),
                  row = std::clamp((y - 30) / kStep, 0, kRows - 1);
        const int dx = x - 30 - column * kStep - kStep / 2, dy = y - 30 - row * kStep - kStep / 2;
        const bool in =
            dx * dx + dy * dy <= kRadius * kRadius && std::abs(dx) <= kStep / 2 && std::abs(dy) <= kStep / 2;
        for (const int value : {kStep / 2, dx, dy})
          maps.push_back(in ? static_cast<float>(value) / static_cast<float>(kStep / 2) : 0.0F);
      }
  }
};

TEST_F(InstanceScoresCommand, OfHoVerNetPartNucleiThatTouch) {
  const Discs discs;
  write_npy(folder_ / "hover.npy", {kHeight, kWidth, 3}, discs.maps);
  const std::string everywhere = " --set background_level=255";
  const auto expected = outlines_of(folder_ / "hover.npy", "hover", "--kind hover" + everywhere);
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(Discs::kColumns * Discs::kRows));
  EXPECT_EQ(outlines_of(folder_ / "hover.npy", "tiles", "--kind hover --tile 256 --cpus 1" + everywhere), expected);
  EXPECT_EQ(outlines_of(folder_ / "hover.npy", "whole", "--kind hover --tile 300 --non-pipelined" + everywhere),
            expected);
  // By the score alone all of them are one object, which is too large for a nucleus.
  std::vector<float> nuclei;
  for (std::size_t i = 0; i < discs.maps.size(); i += 3) nuclei.push_back(discs.maps[i]);
  write_npy(folder_ / "nuclei.npy", {kHeight, kWidth}, nuclei);
  EXPECT_EQ(outlines_of(folder_ / "nuclei.npy", "nuclei", "--kind probability" + everywhere).size(), 0u);

  refused(folder_ / "nuclei.npy", "--kind hover", 3, {"1 channels", "--kind hover takes 3"});
  write_npy(folder_ / "bytes.npy", {kHeight, kWidth, 3}, std::vector<std::uint8_t>(kHeight * kWidth * 3));
  refused(folder_ / "bytes.npy", "--kind hover", 3, {"holds uint8", "distances are float32"});
  std::vector<float> far = discs.maps;
  far[3 * (kWidth * 7 + 5) + 2] = -30;
  write_npy(folder_ / "far.npy", {kHeight, kWidth, 3}, far);
  test::expect_says(shell(run_text(folder_ / "far.npy", "far", "--kind hover")), 6,
                    {"holds -30 at x=5 y=7 of channel 2; a distance is from -1 to 1"});
}

/// What StarDist gives for discs on a lattice. Some discs touch. Every second pixel has a probability, which falls from
/// the disc's middle, and the distances to the outline.
struct StarMaps {
  static constexpr int kGrid = 2, kRays = 16, kStep = 24, kDiscs = (kWidth / kStep) * (kHeight / kStep);
  static constexpr int kColumns = kWidth / kGrid, kRows = kHeight / kGrid;
  std::vector<float> probabilities, distances;  // the channels of distances come last

  StarMaps() {
    for (int j = 0; j < kRows; ++j)
      for (int i = 0; i < kColumns; ++i) {
        const int column = i * kGrid / kStep, row = j * kGrid / kStep;
        const double radius = 8 + (column * 7 + row * 3) % 5, dx = i * kGrid - (column + .5) * kStep,
                     dy = j * kGrid - (row + .5) * kStep, away = std::hypot(dx, dy);
        const bool is_disc = away < radius && column < kWidth / kStep && row < kHeight / kStep;
        probabilities.push_back(is_disc ? static_cast<float>(1 - .4 * away / radius) : 0.0F);
        for (int ray = 0; ray < kRays; ++ray) {
          const double angle = 2 * 3.14159265358979 * ray / kRays, along = dx * std::cos(angle) + dy * std::sin(angle);
          const double distance = -along + std::sqrt(along * along + radius * radius - away * away);
          distances.push_back(is_disc ? static_cast<float>(distance) : 0.001F);
        }
      }
  }
  /// Both in one array.
  std::vector<float> together() const {
    std::vector<float> all;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      all.push_back(probabilities[i]);
      all.insert(all.end(), distances.begin() + static_cast<std::ptrdiff_t>(i * kRays),
                 distances.begin() + static_cast<std::ptrdiff_t>((i + 1) * kRays));
    }
    return all;
  }
};

class InstanceStarsCommand : public Instances {
 protected:
  InstanceStarsCommand() {
    write_npy(folder_ / "prob.npy", {StarMaps::kRows, StarMaps::kColumns}, stars_.probabilities);
    write_distances(stars_.distances);
  }
  void write_distances(const std::vector<float>& distances) const {
    write_npy(folder_ / "dist.npy", {StarMaps::kRows, StarMaps::kColumns, StarMaps::kRays}, distances);
  }

  const StarMaps stars_;
  const std::string maps_ = folder_ / "prob.npy" + " " + folder_ / "dist.npy";
  const std::string kind_ = "--kind stardist --grid 2 --set background_level=255 ";
};

TEST_F(InstanceStarsCommand, GiveANucleusForEachDiscHoweverTilesAreCut) {
  const auto expected = outlines_of(maps_, "one", kind_ + "--cpus 1");
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(StarMaps::kDiscs));
  EXPECT_EQ(outlines_of(maps_, "tiles", kind_ + "--cpus 2 --policy apex --window 2 --tile 256"), expected);
  EXPECT_EQ(outlines_of(maps_, "whole", kind_ + "--non-pipelined --tile 300 --policy eft"), expected);
  write_npy(folder_ / "all.npy", {StarMaps::kRows, StarMaps::kColumns, StarMaps::kRays + 1}, stars_.together());
  EXPECT_EQ(outlines_of(folder_ / "all.npy", "all", kind_ + "--tile 301"), expected);
  // Pieces of the maps, which polygons cross.
  std::filesystem::create_directory(folder_ / "pieces");
  const std::vector<float> all = stars_.together();
  constexpr int channels = StarMaps::kRays + 1, first = 201;
  write_npy(folder_ / "pieces/0_0.npy", {first, StarMaps::kColumns, channels},
            std::vector<float>(all.begin(), all.begin() + first * StarMaps::kColumns * channels));
  write_npy(folder_ / "pieces/0_201.npy", {StarMaps::kRows - first, StarMaps::kColumns, channels},
            std::vector<float>(all.begin() + first * StarMaps::kColumns * channels, all.end()));
  EXPECT_EQ(outlines_of(folder_ / "pieces", "pieces_out", kind_ + "--tile 256"), expected);
}

TEST_F(InstanceStarsCommand, ThresholdsAndScaleCount) {
  const auto expected = outlines_of(maps_, "one", kind_);
  EXPECT_EQ(outlines_of(maps_, "none", kind_ + "--prob-threshold 1").size(), 0u) << "more than that";
  EXPECT_EQ(outlines_of(maps_, "sure", kind_ + "--prob-threshold 0.95"), expected) << "points in the middle stay";
  // Without suppression many polygons stay. A pixel belongs to the surest one.
  EXPECT_GT(outlines_of(maps_, "many", kind_ + "--nms-threshold 1").size(), expected.size());
  EXPECT_EQ(shell(run_text(maps_, "one", kind_ + "--resume")).code, 0);
  expect_one_line(shell(run_text(maps_, "one", kind_ + "--resume --nms-threshold 0.4")), 5, {"maps"});
  // The same maps of an image of twice the resolution have distances of half the length on the slide.
  std::vector<float> doubled = stars_.distances;
  for (float& distance : doubled) distance *= 2;
  write_distances(doubled);
  const std::string fine = "--kind stardist --grid 4 --map-mpp 0.25 --set background_level=255 ";
  const auto found = outlines_of(maps_, "fine", fine);
  EXPECT_EQ(found.size(), static_cast<std::size_t>(StarMaps::kDiscs));
  EXPECT_EQ(outlines_of(maps_, "fine_tiles", fine + "--tile 256"), found);
  refused(maps_, "--kind stardist --grid 4", 3, {"450x350", "by --grid 4 225x175 (0.5 um/px)", "--map-mpp"});
}

TEST_F(InstanceStarsCommand, SayInOneLineWhatIsWrong) {
  refused(maps_, "--kind stardist", 2, {"--kind stardist needs --grid", "2D_versatile_he"});
  refused(maps_, "--kind stardist --grid 3", 2, {"--grid"});
  refused(maps_, "--kind hover --grid 2", 3, {"17 channels"});
  refused(folder_ / "prob.npy", "--kind probability --grid 2", 2, {"--grid is for --kind stardist"});
  refused(maps_, "--kind stardist --prob-threshold 0.5", 2, {"--prob-threshold", "--grid"});
  refused(folder_ / "prob.npy", kind_, 3, {"1 channels", "--kind stardist takes 4 to 256"});
  const std::string bytes = folder_ / "bytes.npy";
  write_npy(bytes, {StarMaps::kRows, StarMaps::kColumns, 5},
            std::vector<std::uint8_t>(StarMaps::kRows * StarMaps::kColumns * 5));
  refused(bytes, kind_, 3, {"bytes.npy: holds uint8", "distances are float32, in pixels"});
  // A point that is no candidate may hold anything, as networks give there.
  const auto found = outlines_of(maps_, "sound", kind_);
  std::vector<float> odd = stars_.distances;
  odd[3] = std::numeric_limits<float>::quiet_NaN();
  write_distances(odd);
  EXPECT_EQ(outlines_of(maps_, "odd", kind_), found);
  const auto far = static_cast<std::size_t>(174 * StarMaps::kColumns + 222) * StarMaps::kRays;  // near a middle
  for (const auto& [value, words] : {std::pair<float, std::string>{-1.5F,
                                                                   "holds -1.5 at x=222 y=174 of channel 4; a "
                                                                   "distance is from 0 to 51 pixels"},
                                     {std::numeric_limits<float>::quiet_NaN(), "holds nan at x=222 y=174"},
                                     {60,
                                      "holds 60 at x=222 y=174 of channel 4; a distance is from 0 to 51 pixels; a "
                                      "larger --halo takes larger ones"}}) {
    std::vector<float> wrong = stars_.distances;
    wrong[far + 4] = value;
    write_distances(wrong);
    test::expect_says(shell(run_text(maps_, "wrong", kind_ + "--overwrite")), 6, {"dist.npy: " + words});
  }
  std::vector<float> unsure = stars_.probabilities;
  unsure[StarMaps::kColumns * 9 + 4] = 1.5F;
  write_npy(folder_ / "prob.npy", {StarMaps::kRows, StarMaps::kColumns}, unsure);
  test::expect_says(shell(run_text(maps_, "unsure", kind_)), 6,
                    {"prob.npy: holds 1.5 at x=4 y=9 of channel 0; a probability is from 0 to 1"});
}

}  // namespace
}  // namespace starpath
