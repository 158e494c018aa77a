// The pattern "stroma": fields of one label that look it, however they are read.
#include <map>
#include <random>
#include <set>

#include "io/synthetic/stroma.hpp"
#include "slide_files.hpp"

namespace starpath::io::test {
namespace {

TEST(SyntheticStroma, AllLabelsAreCommon) {
  std::map<StromaLabel, int> fields;
  for (std::int64_t row = 0; row < 40; ++row)
    for (std::int64_t column = 0; column < 40; ++column) ++fields[stroma_field(11, column, row).label];
  for (const StromaLabel label : {StromaLabel::glass, StromaLabel::rich, StromaLabel::poor})
    EXPECT_GT(fields[label], 160) << static_cast<int>(label);
}

TEST(SyntheticStroma, LabelsFollowThePixelSize) {
  const SyntheticSpec fine = parse_synthetic("synthetic:9000x9000,mpp=0.25,pattern=stroma,seed=3");
  const SyntheticSpec usual = parse_synthetic("synthetic:9000x9000,pattern=stroma,seed=3");
  for (std::int64_t v = 100; v < 4000; v += 301)
    EXPECT_EQ(stroma_label(fine, 2 * v, 8000 - v), stroma_label(usual, v, 4000 - v / 2));
}

TEST(SyntheticStroma, PixelsDoNotDependOnTheCut) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (const char* options : {"", ",mpp=0.25", ",mpp=1.1"}) {
    const auto slide = open_slide("synthetic:9000x9000,pattern=stroma,seed=" + std::to_string(seed) + options);
    const Picture whole = read(*slide, 0, 900, 400, 300, 300);
    for (int i = 0; i < 12; ++i) {
      const int x = static_cast<int>(random() % 250), y = static_cast<int>(random() % 250);
      const int w = 1 + static_cast<int>(random() % 50), h = 1 + static_cast<int>(random() % 50);
      EXPECT_EQ(read(*slide, 0, 900 + x, 400 + y, w, h), crop(whole, x, y, w, h)) << options << " " << x << "," << y;
    }
  }
}

TEST(SyntheticStroma, GlassIsLightAndTissueIsNot) {
  const SyntheticSpec spec = parse_synthetic("synthetic:20480x20480,pattern=stroma,seed=5");
  const auto slide = open_slide("synthetic:20480x20480,pattern=stroma,seed=5");
  for (std::int64_t field = 0; field < 40; ++field) {
    const std::int64_t x = field * 512 + 40, y = (field * 7 % 40) * 512 + 40;
    const Picture part = read(*slide, 0, x, y, 430, 430);
    double green = 0;
    for (const Rgb p : part.pixels) green += p.g;
    green /= static_cast<double>(part.pixels.size());
    const bool glass = stroma_label(spec, x, y) == StromaLabel::glass;
    EXPECT_GT(green, glass ? 230 : 80) << field;
    EXPECT_LT(green, glass ? 250 : 200) << field;
  }
}

TEST(SyntheticStroma, ThePatternIsPartOfTheFingerprint) {
  EXPECT_NE(open_slide("synthetic:64x64,pattern=stroma")->info().fingerprint,
            open_slide("synthetic:64x64")->info().fingerprint);
  EXPECT_EQ(open_slide("synthetic:64x64,pattern=tissue")->info().fingerprint,
            open_slide("synthetic:64x64")->info().fingerprint);
  open_error("synthetic:64x64,pattern=stripes", ErrorKind::usage);
}

}  // namespace
}  // namespace starpath::io::test
