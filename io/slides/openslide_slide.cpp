// Slides that OpenSlide reads: Aperio, Hamamatsu, Leica, MIRAX, Philips, Sakura, Trestle, Ventana …
#include <fmt/format.h>
#include <openslide/openslide.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "base/pure/parse_number.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/slide_bounds.hpp"
#include "io/slides/stated_scale.hpp"
#include "io/slides/tiff_file.hpp"
#include "io/slides/trouble.hpp"

namespace starpath::io {
namespace {

using Handle = std::shared_ptr<openslide_t>;

constexpr std::int64_t kUnknownSide = 256;  // of pieces whose size OpenSlide does not say
constexpr std::int64_t kBlockSize = 1024;   // of those that are read where a level's downsample is no whole number

Handle open_handle(const std::string& path) {
  Handle handle(openslide_open(path.c_str()), [](openslide_t* slide) {
    if (slide) openslide_close(slide);
  });
  if (!handle) fail_input(path, "OpenSlide does not know this format", "convert it to a tiled TIFF");
  if (const char* error = openslide_get_error(handle.get()))
    fail_input(path, "OpenSlide cannot open it: " + explained(error), std::string(advice_on(error)));
  return handle;
}

double number_property(openslide_t* slide, const char* name) {
  const char* text = openslide_get_property_value(slide, name);
  return text ? parse_number<double>(text).value_or(0) : 0;
}

/// OpenSlide's own values, else what it passes on of a TIFF.
Statements statements_of(openslide_t* slide, const SlideInfo& info) {
  const double mpp_x = number_property(slide, OPENSLIDE_PROPERTY_NAME_MPP_X);
  const double mpp_y = number_property(slide, OPENSLIDE_PROPERTY_NAME_MPP_Y);
  if (mpp_x > 0 || mpp_y > 0) {
    const PixelShape pixel{mpp_x > 0 ? mpp_x : mpp_y, mpp_y > 0 ? mpp_y : mpp_x};
    if (plausible_mpp(pixel.width) > 0 && plausible_mpp(pixel.height) > 0) return {{{pixel.width, pixel.height, ""}}};
  }
  const auto text = [&](const char* name) {
    const auto found = info.properties.find(name);
    return found != info.properties.end() ? found->second : std::string();
  };
  const double x = number_property(slide, "tiff.XResolution"), y = number_property(slide, "tiff.YResolution");
  const std::string unit = text("tiff.ResolutionUnit");
  const PixelsAUnit tags = unit == "centimeter" ? pixels_a_centimetre(x, y)
                           : unit == "inch"     ? pixels_an_inch(x, y)
                                                : PixelsAUnit{x, y};
  Statements found = read_statements(tags, text("tiff.ImageDescription"), info.width(), info.height());
  if (mpp_x > 0 || mpp_y > 0) found.sizes.push_back({mpp_x, mpp_y, "its vendor's field"});
  return found;
}

/// From the whole canvas to the slide that lies on it.
void keep_bounds(SlideInfo& info) {
  const auto bounds = stated_bounds(info.path, info.properties, info.width(), info.height());
  if (!bounds) return;
  info.place = {bounds->x, bounds->y, info.width(), info.height()};
  for (SlideLevel& level : info.levels) level = level_within(*bounds, level);
}

SlideInfo describe(const std::string& path, openslide_t* slide, bool whole_canvas) {
  SlideInfo info;
  info.path = path;
  // One that a description names without a value has none.
  for (const char* const* name = openslide_get_property_names(slide); *name; ++name)
    if (const char* value = openslide_get_property_value(slide, *name)) info.properties.emplace(*name, value);
  info.format = info.properties[OPENSLIDE_PROPERTY_NAME_VENDOR];
  for (int level = 0; level < openslide_get_level_count(slide); ++level) {
    std::int64_t width = 0, height = 0;
    openslide_get_level_dimensions(slide, level, &width, &height);
    const double downsample = std::max(1.0, openslide_get_level_downsample(slide, level));
    const auto side = [&](const char* which) {
      if (downsample != std::floor(downsample)) return kBlockSize;
      const double stored = number_property(slide, fmt::format("openslide.level[{}].tile-{}", level, which).c_str());
      return stored >= 16 && stored <= 4096 ? static_cast<std::int64_t>(stored) : kUnknownSide;
    };
    info.levels.push_back({width, height, downsample, side("width"), side("height")});
  }
  if (info.levels.empty() || info.width() < 1 || info.height() < 1)
    fail_input(path, "has no pixels", "give a slide of at least one pixel");
  take_statements(statements_of(slide, info), info);
  const char* hash = openslide_get_property_value(slide, OPENSLIDE_PROPERTY_NAME_QUICKHASH1);
  info.fingerprint = hash ? hash : file_fingerprint(path, info.width(), info.height());
  if (!whole_canvas) keep_bounds(info);
  return info;
}

class OpenSlideSlide final : public Slide {
 public:
  OpenSlideSlide(const std::string& path, bool whole_canvas)
      : handle_(open_handle(path)), info_(describe(path, handle_.get(), whole_canvas)) {
    if (info_.place) origin_x_ = info_.place->x, origin_y_ = info_.place->y;
  }

  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;

 private:
  // Pixels are read in blocks of a fixed grid. OpenSlide places a region by level-0 coordinates. Where a level's
  // downsample is no whole number, that place falls between pixels, at another fraction each time, and OpenSlide
  // interpolates: only regions that start at the same place give the same pixels. Blocks also bound the memory of a
  // large read.
  struct Block {
    std::int64_t x, y, width, height;
  };
  std::vector<std::uint32_t> read_block(int level, const Block& block) const;
  Handle current_handle() const {
    const std::lock_guard lock(mutex_);
    return handle_;
  }

  mutable std::mutex mutex_;
  mutable Handle handle_;  // guarded by mutex_; OpenSlide's calls on it need no lock
  SlideInfo info_;
  std::int64_t origin_x_ = 0, origin_y_ = 0;  // of the slide on OpenSlide's canvas, level-0 pixels
};

void to_rgb(const std::uint32_t* argb, Rgb* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t p = argb[i];
    const unsigned alpha = p >> 24;
    const auto over_white = [alpha](unsigned channel) { return premultiplied_over(255, channel, alpha); };
    out[i] = {over_white((p >> 16) & 255), over_white((p >> 8) & 255), over_white(p & 255)};
  }
}

// A failed read leaves an OpenSlide handle unusable, for other threads' reads in flight too. So a reader that sees an
// error tries once more with a new handle. If that fails, this region is damaged. Either way the others get a new
// handle.
std::vector<std::uint32_t> OpenSlideSlide::read_block(int level, const Block& block) const {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(block.width * block.height));
  const double downsample = info_.levels[static_cast<std::size_t>(level)].downsample;
  const auto place = [&](std::int64_t v) { return std::llround(static_cast<double>(v) * downsample); };
  const std::int64_t x = origin_x_ + place(block.x), y = origin_y_ + place(block.y);
  const auto attempt = [&](openslide_t* slide) -> std::string {
    openslide_read_region(slide, pixels.data(), x, y, level, block.width, block.height);
    const char* error = openslide_get_error(slide);
    return error ? error : "";
  };
  if (attempt(current_handle().get()).empty()) return pixels;
  Handle fresh = open_handle(info_.path);
  const std::string error = attempt(fresh.get());
  if (!error.empty()) fresh = open_handle(info_.path);
  {
    const std::lock_guard lock(mutex_);
    handle_.swap(fresh);
  }
  if (!error.empty())
    fail_read(info_, level, block.x, block.y, static_cast<int>(block.width), static_cast<int>(block.height), error);
  return pixels;
}

void OpenSlideSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info_, level);
  const SlideLevel& size = info_.levels[static_cast<std::size_t>(level)];
  const bool exact = has_fixed_grid(size, origin_x_, origin_y_);
  const PixelBox part = shown_part(size.width, size.height, x, y, out);
  if (part.empty()) return;

  std::vector<Rgb> rgb;
  for (std::int64_t block_y = part.top - part.top % kBlockSize; block_y < part.bottom; block_y += kBlockSize) {
    for (std::int64_t block_x = part.left - part.left % kBlockSize; block_x < part.right; block_x += kBlockSize) {
      Block block{block_x, block_y, std::min(kBlockSize, size.width - block_x),
                  std::min(kBlockSize, size.height - block_y)};
      if (exact) {
        block.x = std::max(block_x, part.left);
        block.y = std::max(block_y, part.top);
        block.width = std::min(block_x + kBlockSize, part.right) - block.x;
        block.height = std::min(block_y + kBlockSize, part.bottom) - block.y;
      }
      const std::vector<std::uint32_t> argb = read_block(level, block);
      rgb.resize(argb.size());
      to_rgb(argb.data(), rgb.data(), static_cast<std::int64_t>(argb.size()));
      const int width = static_cast<int>(block.width), height = static_cast<int>(block.height);
      copy_overlap({rgb.data(), width, height, width}, block.x, block.y, out, x, y);
    }
  }
}

bool recognises(const InputProbe& probe) {
  if (probe.is_directory || probe.is_specification) return false;
  // Before the first call of OpenSlide: its libtiff would write lines to standard error. Our own readers of TIFF have
  // handlers of their own.
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  const char* vendor = openslide_detect_vendor(probe.input.c_str());
  // A file that OpenSlide calls generic is a plain tiled TIFF, and tiff_slide.cpp reads it.
  return vendor && std::string_view(vendor) != "generic-tiff";
}

std::unique_ptr<Slide> open(const InputProbe& probe) {
  auto slide = std::make_unique<OpenSlideSlide>(probe.input, probe.opening.whole_canvas);
  // OpenSlide opens a TIFF that lacks its end, and fails only where a missing tile is read. Hamamatsu's NDPI is left
  // out: its offsets over 4 GiB are no TIFF.
  if (probe.is_tiff() && slide->info().format != "hamamatsu") check_not_cut_off(probe.input);
  return slide;
}

}  // namespace

const SlideBackend kOpenslideBackend = {"OpenSlide", recognises, open};

}  // namespace starpath::io
