// Synthetic slides: the same pixels however they are cut, tissue-like statistics, ground truth.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "io/synthetic/spec.hpp"
#include "slide_files.hpp"
#include "support/synthetic_labels.hpp"

namespace starpath::io::test {
namespace {

std::vector<std::int32_t> labels(const std::string& spec, std::int64_t x, std::int64_t y, int width, int height) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), -1);
  support::synthetic_labels(parse_synthetic(spec), x, y, {out.data(), width, height, width});
  return out;
}

TEST(SyntheticSlide, DescribesItself) {
  const auto slide = open_slide("synthetic:700x300,seed=5,density=0.5,mpp=0.25");
  EXPECT_EQ(slide->info().format, "synthetic");
  EXPECT_EQ(slide->info().width(), 700);
  EXPECT_EQ(slide->info().height(), 300);
  EXPECT_EQ(slide->info().mpp, 0.25);
  EXPECT_EQ(slide->info().levels.size(), 1u);
}

TEST(SyntheticSlide, FingerprintTellsSpecificationsApart) {
  std::set<std::string> prints;
  for (const char* spec : {"synthetic:64x64", "synthetic:64x65", "synthetic:64x64,seed=2", "synthetic:64x64,density=2",
                           "synthetic:64x64,mpp=0.25"})
    prints.insert(open_slide(spec)->info().fingerprint);
  EXPECT_EQ(prints.size(), 5u);
  EXPECT_EQ(open_slide("synthetic:64x64,seed=1")->info().fingerprint,
            open_slide("synthetic:64x64")->info().fingerprint);
}

TEST(SyntheticSlide, PixelsAndLabelsDoNotDependOnTheCut) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* options : {"", ",mpp=0.25", ",mpp=1.1,density=3"}) {
    const std::string spec = "synthetic:100000x100000,seed=" + std::to_string(seed) + options;
    const auto slide = open_slide(spec);
    const std::int64_t x0 = 50000 + static_cast<std::int64_t>(random() % 1000), y0 = 49000;
    constexpr int size = 300;
    const Picture whole = read(*slide, 0, x0, y0, size, size);
    const auto whole_labels = labels(spec, x0, y0, size, size);
    for (int i = 0; i < 12; ++i) {
      const int x = static_cast<int>(random() % 250), y = static_cast<int>(random() % 250);
      const int w = 1 + static_cast<int>(random() % 50), h = 1 + static_cast<int>(random() % 50);
      EXPECT_EQ(read(*slide, 0, x0 + x, y0 + y, w, h), crop(whole, x, y, w, h)) << spec << " " << x << "," << y;
      const auto part = labels(spec, x0 + x, y0 + y, w, h);
      for (int j = 0; j < h; ++j)
        ASSERT_TRUE(
            std::equal(part.begin() + j * w, part.begin() + (j + 1) * w, whole_labels.begin() + (y + j) * size + x))
            << spec << " " << x << "," << y;
    }
  }
}

TEST(SyntheticSlide, SeedsGiveDifferentSlides) {
  EXPECT_NE(read_all(*open_slide("synthetic:64x64,seed=1")), read_all(*open_slide("synthetic:64x64,seed=2")));
}

TEST(SyntheticSlide, IsWhiteAndUnlabelledOutside) {
  const auto slide = open_slide("synthetic:50x40");
  const Picture whole = read_all(*slide);
  EXPECT_EQ(read(*slide, 0, -20, -10, 100, 70), crop(whole, -20, -10, 100, 70));
  EXPECT_EQ(read(*slide, 0, 5000, 5000, 4, 4), Picture(4, 4, {255, 255, 255}));
  const auto around = labels("synthetic:50x40", -20, -10, 100, 70);
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 100; ++x)
      if (x < 20 || x >= 70 || y < 10 || y >= 50) {
        ASSERT_EQ(around[static_cast<std::size_t>(y * 100 + x)], 0) << x << "," << y;
      }
}

// What the segmentation relies on: nuclei much darker in red than what surrounds them, of the sizes that pass its
// limits.
TEST(SyntheticSlide, NucleiStandOutInRed) {
  const std::string spec = "synthetic:2048x2048,seed=3";
  constexpr int size = 1024;
  const Picture tissue = read(*open_slide(spec), 0, 512, 512, size, size);
  const auto truth = labels(spec, 512, 512, size, size);
  double inside = 0, outside = 0;
  std::map<std::int32_t, int> areas;
  int background = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0) {
      ++areas[truth[i]];
      inside += tissue.pixels[i].r;
    } else {
      ++background;
      outside += tissue.pixels[i].r;
    }
  }
  inside /= static_cast<double>(truth.size()) - background;
  outside /= background;
  EXPECT_GT(outside - inside, 100);
  int usual = 0;
  for (const auto& [id, area] : areas) usual += area >= 60 && area <= 600;
  EXPECT_GT(areas.size(), 300u);
  EXPECT_GT(usual, 0.85 * static_cast<double>(areas.size()));
}

TEST(SyntheticSlide, DensitySetsTheNumberOfNuclei) {
  const auto count = [](const std::string& spec) {
    const auto truth = labels(spec, 0, 0, 1024, 1024);
    std::set<std::int32_t> ids(truth.begin(), truth.end());
    ids.erase(0);
    return ids.size();
  };
  EXPECT_EQ(count("synthetic:1024x1024,density=0"), 0u);
  EXPECT_GT(count("synthetic:1024x1024,density=2"), count("synthetic:1024x1024,density=0.5") * 2);
}

TEST(SyntheticSlide, LargeSlidesHaveGlassAndSmallOnesTissue) {
  const auto glass_share = [](const std::string& spec) {
    const auto slide = open_slide(spec);
    const std::int64_t step = slide->info().width() / 64;
    int glass = 0;
    for (int j = 0; j < 64; ++j)
      for (int i = 0; i < 64; ++i) {
        const Rgb p = read(*slide, 0, i * step, j * step, 1, 1).pixels[0];
        glass += p.r > 220 && p.g > 220 && p.b > 220;
      }
    return glass / 4096.0;
  };
  EXPECT_NEAR(glass_share("synthetic:60000x60000"), 0.3, 0.08);
  EXPECT_LT(glass_share("synthetic:1024x1024"), 0.1);
}

TEST(SyntheticSlide, OnePixelIsASlide) { EXPECT_EQ(read_all(*open_slide("synthetic:1x1")).pixels.size(), 1u); }

TEST(SyntheticSpec, RefusesWhatMakesNoSense) {
  for (const char* spec :
       {"synthetic:", "synthetic:12", "synthetic:0x5", "synthetic:5x-3", "synthetic:10x10,", "synthetic:5x5,seed",
        "synthetic:5x5,seed=x", "synthetic:5x5,density=9", "synthetic:5x5,density=nan", "synthetic:5x5,mpp=0",
        "synthetic:5x5,colour=red", "synthetic:99999999x2", "synthetic:5x5x5", "synthetic:1000000x1000000,mpp=2"}) {
    const std::string message = open_error(spec, ErrorKind::usage);
    EXPECT_NE(message.find("synthetic:"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace starpath::io::test
