// Label PNGs by libpng, other label images as `starpath instances` reads them.
#include "bench/quality/label_image.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/maps/map_file.hpp"

namespace starpath::quality {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw Error(ErrorKind::input, file.string() + ": " + what + "; labels are PNGs of 8 or 16 bits, TIFFs or .npy " +
                                    "files of one channel of whole numbers, one number an object");
}

std::int32_t label_of(const fs::path& file, double number) {
  if (number < 0 || number > std::numeric_limits<std::int32_t>::max())
    refuse(file, "has a label below 0 or above 2^31 - 1");
  return static_cast<std::int32_t>(number);
}

// libpng reports errors by a long jump: everything with a destructor lives here, outside the functions that set it.
struct PngFile {
  explicit PngFile(const fs::path& path) : file(std::fopen(path.c_str(), "rb")) {
    png = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, nullptr, [](png_structp p, png_const_charp) { png_longjmp(p, 1); },
        [](png_structp, png_const_charp) {});
    if (png != nullptr) info = png_create_info_struct(png);
  }
  ~PngFile() {
    png_destroy_read_struct(&png, &info, nullptr);
    if (file != nullptr) std::fclose(file);
  }
  PngFile(const PngFile&) = delete;
  PngFile& operator=(const PngFile&) = delete;

  bool read() {
    if (file == nullptr || info == nullptr || setjmp(png_jmpbuf(png)) != 0) return false;
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_PACKING | PNG_TRANSFORM_SWAP_ENDIAN, nullptr);
    return true;
  }

  std::FILE* file;
  png_structp png = nullptr;
  png_infop info = nullptr;
};

LabelImage read_png(const fs::path& path) {
  PngFile file(path);
  if (!file.read()) refuse(path, "is no PNG that can be read");
  const int colour = png_get_color_type(file.png, file.info);
  if (colour != PNG_COLOR_TYPE_GRAY && colour != PNG_COLOR_TYPE_PALETTE) refuse(path, "has several channels");
  const int bytes = png_get_bit_depth(file.png, file.info) == 16 ? 2 : 1;
  LabelImage labels(static_cast<int>(png_get_image_width(file.png, file.info)),
                    static_cast<int>(png_get_image_height(file.png, file.info)), 0);
  const png_bytepp rows = png_get_rows(file.png, file.info);
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x)
      labels.at(x, y) = bytes == 1 ? rows[y][x] : reinterpret_cast<const std::uint16_t*>(rows[y])[x];
  return labels;
}

LabelImage read_map(const fs::path& path) {
  const auto map = io::open_map_file(path.string());
  const io::MapShape& shape = map->shape();
  if (shape.channels != 1) refuse(path, "has several channels");
  if (!io::is_whole(shape.type)) refuse(path, std::string("holds numbers of the type ") + io::name_of(shape.type));
  LabelImage labels(static_cast<int>(shape.width), static_cast<int>(shape.height), 0);
  std::vector<double> row(static_cast<std::size_t>(shape.width));
  for (int y = 0; y < labels.height(); ++y) {
    map->read(0, {0, y, labels.width(), 1}, row.data(), labels.width());
    for (int x = 0; x < labels.width(); ++x) labels.at(x, y) = label_of(path, row[static_cast<std::size_t>(x)]);
  }
  return labels;
}

bool is_plain_mask(const LabelImage& labels) {
  bool any = false;
  for (const std::int32_t label : labels.elements()) {
    if (label != 0 && label != 255) return false;
    any = any || label == 255;
  }
  return any;
}

}  // namespace

LabelImage read_mask(const fs::path& file) { return file.extension() == ".png" ? read_png(file) : read_map(file); }

LabelImage read_label_image(const fs::path& file) {
  LabelImage labels = read_mask(file);
  if (is_plain_mask(labels)) refuse(file, "is a mask of 0 and 255, which tells no objects apart");
  return labels;
}

LabelImage on_grid(const LabelImage& labels, int width, int height, double scale) {
  LabelImage out(width, height, 0);
  const auto at = [&](int i, int size) { return std::min(static_cast<int>((i + 0.5) * scale), size - 1); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out.at(x, y) = labels.at(at(x, labels.width()), at(y, labels.height()));
  return out;
}

}  // namespace starpath::quality
