// PNG images, decoded whole by libpng.
#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "io/slides/memory_slide.hpp"

namespace starpath::io {
namespace {

constexpr const char* kDamagedHint = "the file may be damaged: copy or download it again";

// libpng reports errors by a long jump. So everything with a destructor lives here, outside the functions that set the
// jump.
struct Decoder {
  explicit Decoder(const std::string& path) : file(std::fopen(path.c_str(), "rb")) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, [](png_structp, png_const_charp) {});
    if (png) info = png_create_info_struct(png);
  }
  ~Decoder() {
    png_destroy_read_struct(&png, &info, nullptr);
    if (file) std::fclose(file);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto* self = static_cast<Decoder*>(png_get_error_ptr(png));
    std::snprintf(self->error.data(), self->error.size(), "%s", message);
    png_longjmp(png, 1);
  }

  std::FILE* file = nullptr;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::vector<char> error = std::vector<char>(256);
  bool animated = false;
  int passes = 1;                   // 7 where it is interlaced
  std::uintmax_t stored_bytes = 0;  // of all rows before compression
};

// Reads the part before the pixels and asks for 8-bit RGB or RGBA. False: decoder.error has the reason.
bool read_header(Decoder& decoder) {
  if (setjmp(png_jmpbuf(decoder.png))) return false;
  png_structp png = decoder.png;
  png_init_io(png, decoder.file);
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("acTL"), 1);
  png_read_info(png, decoder.info);
  decoder.stored_bytes =
      std::uintmax_t{png_get_image_height(png, decoder.info)} * (png_get_rowbytes(png, decoder.info) + 1);
  png_unknown_chunkp kept = nullptr;  // libpng counts none where it cannot say where they are
  decoder.animated = png_get_unknown_chunks(png, decoder.info, &kept) > 0;
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  decoder.passes = png_set_interlace_handling(png);
  png_read_update_info(png, decoder.info);
  return true;
}

// Row by row: for png_read_image, a picture one pixel wide would need more memory for the addresses of its rows than
// for its pixels.
bool read_pixels(const Decoder& decoder, png_bytep first, std::size_t bytes_a_row, int height) {
  if (setjmp(png_jmpbuf(decoder.png))) return false;
  for (int pass = 0; pass < decoder.passes; ++pass)
    for (int y = 0; y < height; ++y)
      png_read_row(decoder.png, first + static_cast<std::size_t>(y) * bytes_a_row, nullptr);
  png_read_end(decoder.png, nullptr);
  return true;
}

bool read_transparent(const Decoder& decoder, View<Rgb> out, std::uint8_t ground) {
  const auto count = static_cast<std::size_t>(out.pixels());
  const auto rgba = std::make_unique_for_overwrite<png_byte[]>(count * 4);
  if (!read_pixels(decoder, rgba.get(), static_cast<std::size_t>(out.width) * 4, out.height)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const png_byte* p = &rgba[i * 4];
    out.data[i] = {blend_over(ground, p[0], p[3]), blend_over(ground, p[1], p[3]), blend_over(ground, p[2], p[3])};
  }
  return true;
}

// Deflate makes at most 1,032 bytes of one: a header that claims more than the file can hold is to take no memory.
void check_claim(const Decoder& decoder, const std::string& path) {
  constexpr std::uintmax_t most_from_a_byte = 1032;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && decoder.stored_bytes / most_from_a_byte > size)
    fail_input(path,
               fmt::format("PNG cannot be decoded: its header claims {} x {} pixels, more than {} bytes can hold",
                           png_get_image_width(decoder.png, decoder.info),
                           png_get_image_height(decoder.png, decoder.info), size),
               kDamagedHint);
}

// Any PNG as 8-bit RGB: palette and gray expanded, 16 bits rounded to 8, transparency laid over the ground.
WholeImage decode_png(const InputProbe& probe) {
  const std::string& path = probe.input;
  Decoder decoder(path);
  if (!decoder.file) fail_input(path, "cannot be opened", "check its permissions");
  if (!decoder.info) fail_input(path, "libpng cannot start", "free some memory");
  if (!read_header(decoder)) fail_input(path, std::string("PNG cannot be read: ") + decoder.error.data(), kDamagedHint);
  if (decoder.animated) fail_input(path, "is animated, and a slide is one picture", "convert it to a plain PNG");
  check_claim(decoder, path);
  WholeImage image = make_whole_image(probe, png_get_image_width(decoder.png, decoder.info),
                                      png_get_image_height(decoder.png, decoder.info));
  const std::size_t bytes_a_row = png_get_rowbytes(decoder.png, decoder.info);
  bool complete = false;
  if (bytes_a_row == static_cast<std::size_t>(image.width) * sizeof(Rgb)) {
    complete = read_pixels(decoder, &image.pixels[0].r, bytes_a_row, image.height);
  } else {
    complete = read_transparent(decoder, image.view(), probe.opening.ground);
  }
  if (!complete) fail_input(path, std::string("PNG cannot be decoded: ") + decoder.error.data(), kDamagedHint);
  return image;
}

bool recognises(const InputProbe& probe) { return probe.begins_with("\x89PNG\r\n\x1a\n"); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return make_memory_slide(probe.input, "png", decode_png(probe));
}

}  // namespace

const SlideBackend kPngBackend = {"PNG", recognises, open};

}  // namespace starpath::io
