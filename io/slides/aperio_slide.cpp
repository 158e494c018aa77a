// Aperio's slides: OpenSlide describes them, and their pixels are decoded from the TIFF's tiles.
//
// OpenSlide pastes each tile into a canvas with transparency, which takes several times as long as the decoding does.
// Where a level's size is no exact fraction of the slide's, OpenSlide also places the pixels of that level between
// those of the file and interpolates; here they are the file's.
#include "io/slides/aperio_slide.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/tiff_pyramid.hpp"

namespace starpath::io {
namespace {

class AperioSlide final : public Slide {
 public:
  AperioSlide(SlideInfo info, std::vector<TiffLevel> pages, std::uint8_t ground)
      : info_(std::move(info)), pixels_(info_.path, std::move(pages), ground) {}
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    pixels_.read(*this, level, x, y, out);
  }

 private:
  SlideInfo info_;
  TiffPyramid pixels_;
};

/// The tiled page of each level, found by its size; nothing where a level has none that is read here, as one compressed
/// by JPEG 2000.
std::optional<std::vector<TiffLevel>> pages_of(const SlideInfo& info) {
  TiffFile file(info.path);
  std::vector<TiffLevel> pages;
  do {
    TiffLevel page;
    if (!file.describe(page).empty() || !page.tiled || pages.size() == info.levels.size()) continue;
    const SlideLevel& level = info.levels[pages.size()];
    if (page.width == level.width && page.height == level.height) pages.push_back(page);
  } while (TIFFReadDirectory(file.get()) == 1);
  if (pages.size() < info.levels.size()) return std::nullopt;
  return pages;
}

bool is_aperio_tiff(const InputProbe& probe) {
  if (!probe.is_tiff()) return false;
  try {
    const TiffFile file(probe.input);
    const char* description = nullptr;
    return TIFFIsTiled(file.get()) != 0 && TIFFGetField(file.get(), TIFFTAG_IMAGEDESCRIPTION, &description) == 1 &&
           std::string_view(description).starts_with("Aperio");
  } catch (const Error&) {
    return false;
  }
}

bool recognises(const InputProbe& probe) { return is_aperio_tiff(probe) && kOpenslideBackend.recognises(probe); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return with_tiles_of_aperio(kOpenslideBackend.open(probe), probe);
}

}  // namespace

std::unique_ptr<Slide> with_tiles_of_aperio(std::unique_ptr<Slide> described, const InputProbe& probe) {
  if (!is_aperio_tiff(probe) || described->info().place) return described;
  SlideInfo info = described->info();
  auto pages = pages_of(info);
  if (!pages) return described;
  for (std::size_t level = 0; level < pages->size(); ++level) {
    info.levels[level].block_width = (*pages)[level].block_width;
    info.levels[level].block_height = (*pages)[level].block_height;
  }
  if (!info.decoded_by.empty()) info.decoded_by = "this process, through libtiff; another one opened it with OpenSlide";
  return std::make_unique<AperioSlide>(std::move(info), std::move(*pages), probe.opening.ground);
}

const SlideBackend kAperioBackend = {"Aperio", recognises, open};

}  // namespace starpath::io
