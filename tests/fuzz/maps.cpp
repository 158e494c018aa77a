// Files of maps, .npy and TIFF: their numbers, and the scores and nuclei that maps of each kind become.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/instance_maps.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace starpath;

constexpr int kMostSide = 96;

/// The first and the last pixels, of the first and the last channels.
void read_corners(const io::MapImage& map) {
  const io::MapSize size = map.extent();
  const int width = static_cast<int>(std::min<std::int64_t>(size.width, kMostSide)),
            height = static_cast<int>(std::min<std::int64_t>(size.height, kMostSide)),
            channels = std::min(map.channels(), 3);
  const std::ptrdiff_t plane = kMostSide * kMostSide;
  std::vector<double> numbers(static_cast<std::size_t>(3 * plane));
  map.read_channels(0, channels, {0, 0, width, height}, numbers.data(), width, plane);
  map.read_channels(map.channels() - channels, channels, {size.width - width, size.height - height, width, height},
                    numbers.data(), width, plane);
}

/// Of maps only the size of the slide matters.
class SlideOfSize final : public io::Slide {
 public:
  explicit SlideOfSize(const io::MapSize& size) { info_.levels = {{size.width, size.height, 1, 0, 0}}; }
  const io::SlideInfo& info() const override { return info_; }
  void read(int, std::int64_t, std::int64_t, View<Rgb>) const override { std::abort(); }

 private:
  io::SlideInfo info_;
};

/// The whole of small maps, as of a slide of their size.
void read_as(MapKind kind, const std::string& file, const io::MapSize& size) {
  const SlideOfSize slide(size);
  const io::WorkingSlide grid(slide, io::kDesignMpp, io::kDesignMpp);
  const InstanceMaps maps({{file}, kind, 0, false, false, {.grid = kind == MapKind::stardist ? 1 : 0}}, io::kDesignMpp,
                          grid);
  const auto width = static_cast<int>(grid.width()), height = static_cast<int>(grid.height());
  const auto pixels = static_cast<std::size_t>(width * height);
  if (detection_by(kind) == Detection::labels) {
    std::vector<std::int32_t> labels(pixels);
    const std::int32_t found = maps.read_labels(0, 0, {41, 4, 1200}, {labels.data(), width, height, width});
    if (std::ranges::max(labels) != found || std::ranges::min(labels) < 0) std::abort();
    return;
  }
  std::vector<std::uint8_t> nucleus(pixels), core(pixels);
  maps.read_scores(0, 0, {nucleus.data(), width, height, width}, {core.data(), width, height, width});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = fuzz::text_of(data, size);
  const std::string file = fuzz::file_of(bytes, bytes.starts_with("\x93NUMPY") ? "map.npy" : "map.tif");
  io::MapSize extent{0, 0};
  fuzz::expect_errors_only([&] {
    const io::MapImage map(file);
    extent = map.extent();
    read_corners(map);
  });
  if (extent.width < 1 || extent.height < 1 || extent.width > kMostSide || extent.height > kMostSide) return 0;
  for (const MapKind kind : {MapKind::labels, MapKind::probability, MapKind::hover, MapKind::stardist})
    fuzz::expect_errors_only([&] { read_as(kind, file, extent); });
  return 0;
}
