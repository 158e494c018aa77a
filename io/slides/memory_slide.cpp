// Regions of an image held in memory.
#include "io/slides/memory_slide.hpp"

#include <fmt/format.h>

#include <new>

#include "io/slides/fingerprint.hpp"

namespace starpath::io {

WholeImage make_whole_image(const InputProbe& probe, std::int64_t width, std::int64_t height) {
  const std::string& path = probe.input;
  check_whole_image_size(path, width, height);
  if (probe.opening.on_size) probe.opening.on_size(width, height);
  try {
    // Not zeroed: a damaged header that claims a huge image then costs nothing, as decoding fails before the memory is
    // touched.
    return {std::make_unique_for_overwrite<Rgb[]>(static_cast<std::size_t>(width * height)), static_cast<int>(width),
            static_cast<int>(height)};
  } catch (const std::bad_alloc&) {
    fail_input(path, fmt::format("its {}x{} pixels do not fit in memory", width, height), "convert it to a tiled TIFF");
  }
}

void MemorySlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info_, level);
  if (x < 0 || y < 0 || x + out.width > image_.width || y + out.height > image_.height) fill(out, kWhite);
  copy_overlap(image_.view(), 0, 0, out, x, y);
}

std::vector<std::string> MemorySlide::warnings() const {
  std::vector<std::string> lines = {image_.remark, clear_warning(image_.clear, image_.view().pixels())};
  std::erase(lines, "");
  return lines;
}

std::unique_ptr<Slide> make_memory_slide(const std::string& path, const char* format, WholeImage image) {
  SlideInfo info;
  info.path = path;
  info.format = format;
  info.levels = {{image.width, image.height, 1}};
  info.fingerprint = file_fingerprint(path, image.width, image.height);
  take_statements(read_statements(image.tags, image.description, image.width, image.height), info);
  return std::make_unique<MemorySlide>(std::move(info), std::move(image));
}

}  // namespace starpath::io
