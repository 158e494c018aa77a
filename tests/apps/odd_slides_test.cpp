// Images that are no section of haematoxylin and eosin, or hardly one, segmented from outside: a sensible result, or
// one clear warning.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/exports/png_writer.hpp"
#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "support/images.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using support::Image;
using support::Rng;
using test::shell;
using test::TemporaryFolder;

constexpr int kSide = 1100;  // a few cells of the tissue mask
constexpr Rgb kGlass{240, 239, 241}, kTissue{205, 150, 195}, kNucleus{90, 60, 140};

void add_noise(Image<Rgb>& image) {
  Rng rng(3);
  const auto near = [&](int v) {
    return static_cast<std::uint8_t>(std::clamp(v + static_cast<int>(rng() % 7) - 3, 0, 255));
  };
  for (int y = 0; y < image.view().height; ++y)
    for (int x = 0; x < image.view().width; ++x) {
      Rgb& p = image.at(x, y);
      p = {near(p.r), near(p.g), near(p.b)};
    }
}

Image<Rgb> even(Rgb colour) {
  Image<Rgb> image(kSide, kSide);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) image.at(x, y) = colour;
  return image;
}

void draw_disc(Image<Rgb>& image, int cx, int cy, int radius, Rgb colour) {
  for (int y = cy - radius; y <= cy + radius; ++y)
    for (int x = cx - radius; x <= cx + radius; ++x)
      if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius) image.at(x, y) = colour;
}

/// A disc of the size of a nucleus every 50 pixels.
constexpr int kDiscs = 22 * 22;
Image<Rgb> with_nuclei(Image<Rgb> image, Rgb colour) {
  for (int y = 25; y < kSide; y += 50)
    for (int x = 25; x < kSide; x += 50) draw_disc(image, x, y, 7, colour);
  return image;
}

/// What a run says and finds.
struct Found {
  int nuclei;
  std::vector<std::string> warnings;
  std::int64_t tissue = 0;  // pixels
};

Found segmented(Image<Rgb> image, const std::string& options = "") {
  add_noise(image);
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "slide.png");
    io::PngWriter png(file, kSide, kSide);
    png.write(image.view());
    png.finish();
    file.commit();
  }
  const auto run = shell("starpath segment " + folder / "slide.png" + " --mpp 0.5 --export none --json " + options +
                         " --out " + folder / "out");
  EXPECT_EQ(run.code, 0) << run.output;
  Found found{};
  for (std::size_t at = 0; (at = run.output.find("warning: ", at)) != std::string::npos; ++at)
    found.warnings.push_back(run.output.substr(at, run.output.find('\n', at) - at));
  const std::string body = run.output.substr(0, run.output.size() - 1);
  found.nuclei = nlohmann::json::parse(body.substr(body.rfind('\n') + 1)).at("nuclei");
  for (const io::TileRecord& tile : io::TileStore(io::ResultStore::open(folder / "out/results.sqlite")).tiles())
    found.tissue += tile.tissue;
  return found;
}

void expect_one_warning(const Found& found, const std::string& words) {
  ASSERT_EQ(found.warnings.size(), 1u) << words << testing::PrintToString(found.warnings);
  EXPECT_NE(found.warnings[0].find(words), std::string::npos) << found.warnings[0];
}

TEST(OddSlides, GlassHoldsNoNucleus) {
  const Found found = segmented(even(kGlass));
  expect_one_warning(found, "hardly any tissue");
  EXPECT_EQ(found.nuclei, 0);
  EXPECT_EQ(found.tissue, 0);
}

TEST(OddSlides, ASingleNucleusOnGlassIsFound) {
  Image<Rgb> image = even(kGlass);
  draw_disc(image, 640, 400, 8, kNucleus);
  const Found found = segmented(image);
  expect_one_warning(found, "hardly any tissue");
  EXPECT_EQ(found.nuclei, 1);
}

TEST(OddSlides, TheAreaOfTissueDependsOnNeitherTilesNorTheGlassAround) {
  Image<Rgb> image = even(kGlass);
  for (int y = 0; y < 512; ++y)
    for (int x = 256; x < 768; ++x) image.at(x, y) = (x % 50 - 25) * (x % 50 - 25) < 49 ? kNucleus : kTissue;
  for (const char* tile : {"256", "300", "512", "2048"})
    EXPECT_EQ(segmented(image, std::string("--preset paper --tile ") + tile).tissue, 512 * 512) << tile;
}

TEST(OddSlides, SingleCellsAreFoundOnGlass) {
  Image<Rgb> image = even(kGlass);
  for (int i = 0; i < 16; ++i) draw_disc(image, 60 + 250 * (i % 4), 90 + 250 * (i / 4), 7, kNucleus);
  EXPECT_EQ(segmented(image).nuclei, 16);
}

TEST(OddSlides, DarkOnesAreSaidToBeDark) {
  const Found dark = segmented(even({5, 5, 5}));
  expect_one_warning(dark, "most of the slide is dark");
  EXPECT_EQ(dark.nuclei, 0);
  expect_one_warning(segmented(with_nuclei(even({6, 5, 20}), {30, 40, 220})), "fluorescence");
}

TEST(OddSlides, GreyOnesAreSegmentedByBrightness) {
  const Found found = segmented(with_nuclei(even({190, 190, 190}), {90, 90, 90}));
  expect_one_warning(found, "no colour");
  EXPECT_NEAR(found.nuclei, kDiscs, kDiscs / 50);
}

TEST(OddSlides, BrownOnesAreSaidToBeBrown) {
  Image<Rgb> image = with_nuclei(even({190, 160, 120}), {110, 70, 35});
  for (int y = 25; y < kSide; y += 150)
    for (int x = 25; x < kSide; x += 50) draw_disc(image, x, y, 7, {90, 70, 140});
  const Found found = segmented(image);
  expect_one_warning(found, "immunohistochemistry");
  EXPECT_NEAR(found.nuclei, kDiscs, kDiscs / 50);
}

/// Large soft shapes in the colours of fur, grass and sky.
TEST(OddSlides, PhotographsAreNotTakenForTissue) {
  Image<Rgb> image(kSide, kSide);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const int shade = (x * 3 + y * 2) % 220;
      const auto by = [&](int v) { return static_cast<std::uint8_t>(std::min(255, v * (140 + shade) / 300)); };
      image.at(x, y) = y < 300   ? Rgb{by(120), by(170), by(230)}
                       : x < 500 ? Rgb{by(200), by(150), by(90)}
                                 : Rgb{by(90), by(150), by(60)};
    }
  const Found found = segmented(image);
  ASSERT_GE(found.warnings.size(), 1u);
  EXPECT_NE(found.warnings[0].find("no section"), std::string::npos) << found.warnings[0];
}

TEST(OddSlides, InvertedOnesAreLeftAlone) {
  Image<Rgb> image = with_nuclei(even({160, 135, 192}), {125, 105, 165});
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      Rgb& p = image.at(x, y);
      p = {static_cast<std::uint8_t>(255 - p.r), static_cast<std::uint8_t>(255 - p.g),
           static_cast<std::uint8_t>(255 - p.b)};
    }
  const Found found = segmented(image);
  expect_one_warning(found, "inverted colours");
  EXPECT_EQ(found.nuclei, 0);
}

TEST(OddSlides, AnotherWorkingGridFindsTheSameNuclei) {
  const Image<Rgb> image = with_nuclei(even(kTissue), kNucleus);
  for (const char* mpp : {"0.25", "0.4", "1"})
    EXPECT_NEAR(segmented(image, std::string("--detector levels --work-mpp ") + mpp).nuclei, kDiscs, kDiscs / 50)
        << mpp;
}

}  // namespace
}  // namespace starpath
