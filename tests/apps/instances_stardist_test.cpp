// `starpath instances --kind stardist`: polygons of points and rays.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/instances.hpp"

namespace starpath {
namespace {

using support::write_npy;
using test::expect_one_line;
using test::Instances;
using test::kMapHeight;
using test::kMapWidth;
using test::shell;

/// What StarDist gives for discs on a lattice. Some discs touch. Every second pixel has a probability, which falls from
/// the disc's middle, and the distances to the outline.
struct StarMaps {
  static constexpr int kGrid = 2, kRays = 16, kStep = 24, kDiscs = (kMapWidth / kStep) * (kMapHeight / kStep);
  static constexpr int kColumns = kMapWidth / kGrid, kRows = kMapHeight / kGrid;
  std::vector<float> probabilities, distances;  // the channels of distances come last

  StarMaps() {
    for (int j = 0; j < kRows; ++j)
      for (int i = 0; i < kColumns; ++i) {
        const int column = i * kGrid / kStep, row = j * kGrid / kStep;
        const double radius = 8 + (column * 7 + row * 3) % 5, dx = i * kGrid - (column + .5) * kStep,
                     dy = j * kGrid - (row + .5) * kStep, away = std::hypot(dx, dy);
        const bool is_disc = away < radius && column < kMapWidth / kStep && row < kMapHeight / kStep;
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
