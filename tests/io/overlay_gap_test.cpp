// The overlay of a slide of which a piece cannot be read.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/pure/rect.hpp"
#include "io/exports/exports.hpp"
#include "io/slides/slide.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

constexpr Rgb kEverywhere{200, 150, 200}, kGap{128, 128, 128};
constexpr Rect kHole{128, 192, 64, 64};

/// One colour, and a stored piece that cannot be read.
class HoledSlide final : public Slide {
 public:
  HoledSlide() {
    info_.path = "holed";
    info_.levels = {{400, 300, 1, 64, 64}};
  }
  const SlideInfo& info() const override { return info_; }
  void read(int, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (!intersection(kHole, {x, y, out.width, out.height}).empty()) throw Error(ErrorKind::input, "a hole");
    for (int row = 0; row < out.height; ++row) std::fill_n(out.row(row), out.width, kEverywhere);
  }

 private:
  SlideInfo info_;
};

class OverlayGap : public testing::Results {};

TEST_F(OverlayGap, IsGrayAndAsLargeAsWhatCannotBeRead) {
  RunInfo info = testing::info(400, 300);
  info.scale = 1;
  const ResultStore store = ResultStore::create(file, testing::key(), info);
  for (const int reduction : {1, 4}) {
    export_overlay(store, HoledSlide(), folder / "overlay.png", 400 / reduction);
    const auto overlay = open_slide((folder / "overlay.png").string());
    const int width = static_cast<int>(overlay->info().width()), height = static_cast<int>(overlay->info().height());
    ASSERT_EQ(width, 400 / reduction);
    std::vector<Rgb> pixels(static_cast<std::size_t>(width * height));
    overlay->read(0, 0, 0, {pixels.data(), width, height, width});
    const Rect gap{kHole.x / reduction, kHole.y / reduction, kHole.width / reduction, kHole.height / reduction};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        ASSERT_EQ(pixels[static_cast<std::size_t>(y * width + x)],
                  intersection(gap, {x, y, 1, 1}).empty() ? kEverywhere : kGap)
            << x << "," << y << " of a " << reduction << "th";
  }
}

}  // namespace
}  // namespace starpath::io
