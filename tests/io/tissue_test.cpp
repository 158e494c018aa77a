// Tissue of a slide that is drawn in memory: its regions, its area, and both files.
#include "io/tissue/tissue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/read_file.hpp"
#include "base/temporary_folder.hpp"
#include "io/annotations/region_files.hpp"
#include "io/masks/mask_region.hpp"
#include "io/slides/memory_slide.hpp"

namespace starpath::io {
namespace {

constexpr double kMpp = 8;  // of a level-0 pixel, so that the grid is the slide
constexpr double kCellMm2 = kTissueCell * kTissueCell * kMpp * kMpp * 1e-6;

struct Part {
  int x, y, width, height;
};

/// A slide of glass with these parts of tissue.
MemorySlide slide_of(int width, int height, const std::vector<Part>& parts) {
  const auto pixels = static_cast<std::size_t>(width * height);
  WholeImage image{std::make_unique<Rgb[]>(pixels), width, height};
  std::fill_n(image.pixels.get(), pixels, Rgb{240, 240, 240});
  for (const Part& part : parts)
    for (int y = part.y; y < part.y + part.height; ++y)
      std::fill_n(image.view().row(y) + part.x, part.width, Rgb{150, 80, 160});
  SlideInfo info;
  info.levels = {{width, height, 1}};
  return {info, std::move(image)};
}

TEST(Tissue, RegionsBelowTheLeastAreaAreLeftOut) {
  const MemorySlide slide = slide_of(160, 96, {{16, 16, 48, 32}, {112, 64, 16, 16}});
  const Tissue all = find_tissue(slide, kMpp, {.least_mm2 = 0});
  ASSERT_EQ(all.regions.size(), 2u);
  EXPECT_NEAR(all.mm2(all.regions[0]), 6 * kCellMm2, 1e-12);
  EXPECT_NEAR(all.mm2(), 7 * kCellMm2, 1e-12);
  EXPECT_EQ(find_tissue(slide, kMpp, {.least_mm2 = 1.5 * kCellMm2}).regions.size(), 1u);
  EXPECT_EQ(find_tissue(slide, kMpp, {.glass = 250, .least_mm2 = 0}).regions.size(), 1u) << "all of it is tissue";
}

TEST(Tissue, OfACellAtTheBorderOnlyWhatLiesWithinTheSlideCounts) {
  const MemorySlide slide = slide_of(100, 60, {{96, 0, 4, 60}});
  const Tissue tissue = find_tissue(slide, kMpp, {.least_mm2 = 0});
  ASSERT_EQ(tissue.regions.size(), 1u);
  EXPECT_NEAR(tissue.mm2(), 4 * 60 * kMpp * kMpp * 1e-6, 1e-12);
}

TEST(Tissue, BothFilesSayTheSameRegions) {
  const TemporaryFolder folder;
  const Tissue tissue = find_tissue(slide_of(100, 60, {{80, 16, 20, 44}}), kMpp, {.least_mm2 = 0});
  const auto written = [&](const char* name, void (*write)(const Tissue&, AtomicFile&)) {
    const std::filesystem::path path = folder.path() / name;
    AtomicFile file(path);
    write(tissue, file);
    file.commit();
    return path.string();
  };
  const std::string drawn = written("tissue.geojson", write_tissue_regions);
  EXPECT_EQ(read_file(drawn), R"({"type":"FeatureCollection","features":[
{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[80.0,16.0],[100.0,16.0],[100.0,60.0],[80.0,60.0],[80.0,16.0]]]},"properties":{"objectType":"annotation","classification":{"name":"Tissue","color":[200,60,160]}}}
]}
)");
  const Region masked = read_mask(written("tissue.png", write_tissue_mask), 100, 60);
  ASSERT_EQ(masked.polygons.size(), 1u);
  EXPECT_EQ(area(masked.polygons[0]), area(read_region_file(drawn, 100, 60)[0].polygons[0]));
}

}  // namespace
}  // namespace starpath::io
