// Label PNGs by libpng, label TIFFs by libtiff.
#include "bench/quality/label_image.hpp"

#include <png.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.hpp"

namespace starpath::quality {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw Error(ErrorKind::input, file.string() + ": " + what +
                                    "; labels are PNGs of 8 or 16 bits or TIFFs of 8, 16 or " +
                                    "32 bits with one channel, one number an object");
}

/// A number of `bytes` bytes in this machine's order.
std::uint32_t number_at(const unsigned char* at, int bytes) {
  if (bytes == 1) return *at;
  if (bytes == 2) return *reinterpret_cast<const std::uint16_t*>(at);
  return *reinterpret_cast<const std::uint32_t*>(at);
}

void store_row(const fs::path& file, const unsigned char* row, int bytes, View<std::int32_t> out, int x0, int y,
               int count) {
  for (int x = 0; x < count; ++x) {
    const std::uint32_t label = number_at(row + static_cast<std::ptrdiff_t>(x) * bytes, bytes);
    if (label > std::uint32_t{std::numeric_limits<std::int32_t>::max()}) refuse(file, "has a label above 2^31 - 1");
    out.at(x0 + x, y) = static_cast<std::int32_t>(label);
  }
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
  for (int y = 0; y < labels.height(); ++y) store_row(path, rows[y], bytes, labels.view(), 0, y, labels.width());
  return labels;
}

struct CloseTiff {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

void read_tiles(const fs::path& path, TIFF* tiff, int bytes, View<std::int32_t> out) {
  std::uint32_t width = 0, height = 0;
  TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
  std::vector<unsigned char> tile(static_cast<std::size_t>(TIFFTileSize(tiff)));
  for (int y = 0; y < out.height; y += static_cast<int>(height))
    for (int x = 0; x < out.width; x += static_cast<int>(width)) {
      if (TIFFReadTile(tiff, tile.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0) < 0)
        refuse(path, "has a tile that cannot be read");
      for (int row = 0; row < std::min(static_cast<int>(height), out.height - y); ++row)
        store_row(path, &tile[static_cast<std::size_t>(row) * width * static_cast<std::size_t>(bytes)], bytes, out, x,
                  y + row, std::min(static_cast<int>(width), out.width - x));
    }
}

LabelImage read_tiff(const fs::path& path) {
  TIFFSetWarningHandler(nullptr);
  TIFFSetErrorHandler(nullptr);
  const std::unique_ptr<TIFF, CloseTiff> tiff(TIFFOpen(path.c_str(), "r"));
  if (!tiff) refuse(path, "is no TIFF that can be read");
  std::uint32_t width = 0, height = 0;
  std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLEFORMAT, &format);
  if (samples != 1 || (bits != 8 && bits != 16 && bits != 32) ||
      (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT))
    refuse(path, "has other pixels");
  LabelImage labels(static_cast<int>(width), static_cast<int>(height), 0);
  if (TIFFIsTiled(tiff.get()) != 0) {
    read_tiles(path, tiff.get(), bits / 8, labels.view());
    return labels;
  }
  std::vector<unsigned char> row(static_cast<std::size_t>(TIFFScanlineSize(tiff.get())));
  for (int y = 0; y < labels.height(); ++y) {
    if (TIFFReadScanline(tiff.get(), row.data(), static_cast<std::uint32_t>(y), 0) != 1)
      refuse(path, "has a row that cannot be read");
    store_row(path, row.data(), bits / 8, labels.view(), 0, y, labels.width());
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

LabelImage read_mask(const fs::path& file) { return file.extension() == ".png" ? read_png(file) : read_tiff(file); }

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
