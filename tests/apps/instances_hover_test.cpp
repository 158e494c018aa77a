// `starpath instances --kind hover`: distances of nuclei that touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tests/apps/instances.hpp"

namespace starpath {
namespace {

using support::write_npy;
using test::Instances;
using test::kMapHeight;
using test::kMapWidth;
using test::shell;

using InstanceDistancesCommand = Instances;

/// Discs that touch each other, in rows of `columns`: of each pixel a score, and the distances as HoVer-Net is taught
/// them, -1 to 1 over the width and the height of a nucleus.
struct Discs {
  static constexpr int kStep = 22, kRadius = 12, kColumns = 38, kRows = 29;
  std::vector<float> maps;  // channels last

  Discs() {
    for (int y = 0; y < kMapHeight; ++y)
      for (int x = 0; x < kMapWidth; ++x) {
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

TEST_F(InstanceDistancesCommand, PartNucleiThatTouch) {
  const Discs discs;
  write_npy(folder_ / "hover.npy", {kMapHeight, kMapWidth, 3}, discs.maps);
  const std::string everywhere = " --set background_level=255";
  const auto expected = outlines_of(folder_ / "hover.npy", "hover", "--kind hover" + everywhere);
  EXPECT_EQ(expected.size(), static_cast<std::size_t>(Discs::kColumns * Discs::kRows));
  EXPECT_EQ(outlines_of(folder_ / "hover.npy", "tiles", "--kind hover --tile 256 --cpus 1" + everywhere), expected);
  EXPECT_EQ(outlines_of(folder_ / "hover.npy", "whole", "--kind hover --tile 300 --non-pipelined" + everywhere),
            expected);
  // By the score alone all of them are one object, which is too large for a nucleus.
  std::vector<float> nuclei;
  for (std::size_t i = 0; i < discs.maps.size(); i += 3) nuclei.push_back(discs.maps[i]);
  write_npy(folder_ / "nuclei.npy", {kMapHeight, kMapWidth}, nuclei);
  EXPECT_EQ(outlines_of(folder_ / "nuclei.npy", "nuclei", "--kind probability" + everywhere).size(), 0u);

  refused(folder_ / "nuclei.npy", "--kind hover", 3, {"1 channels", "--kind hover takes 3"});
  write_npy(folder_ / "bytes.npy", {kMapHeight, kMapWidth, 3}, std::vector<std::uint8_t>(kMapHeight * kMapWidth * 3));
  refused(folder_ / "bytes.npy", "--kind hover", 3, {"holds uint8", "distances are float32"});
  std::vector<float> far = discs.maps;
  far[3 * (kMapWidth * 7 + 5) + 2] = -30;
  write_npy(folder_ / "far.npy", {kMapHeight, kMapWidth, 3}, far);
  test::expect_says(shell(run_text(folder_ / "far.npy", "far", "--kind hover")), 6,
                    {"holds -30 at x=5 y=7 of channel 2; a distance is from -1 to 1"});
}

}  // namespace
}  // namespace starpath
