// PNG images, decoded whole by libpng.
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "io/slides/memory_slide.hpp"
#include "io/slides/white_value.hpp"

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
  bool is_deep = false;             // values of 16 bits
  int stated_bits = 0;              // of these, those that the file says hold the picture; 0: it does not say
  std::uintmax_t stored_bytes = 0;  // of all rows before compression
};

// Reads the part before the pixels and asks for RGB or RGBA, of 8 bits or of 16 in the machine's order. False:
// decoder.error has the reason.
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
  decoder.is_deep = png_get_bit_depth(png, decoder.info) == 16;
  png_color_8p significant = nullptr;
  if (png_get_sBIT(png, decoder.info, &significant) != 0 && significant != nullptr)
    decoder.stated_bits =
        std::max(significant->gray, std::max({significant->red, significant->green, significant->blue}));
  if (decoder.is_deep && std::endian::native == std::endian::little) png_set_swap(png);
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

bool read_transparent(const Decoder& decoder, WholeImage& image, std::uint8_t ground) {
  const View<Rgb> out = image.view();
  const auto count = static_cast<std::size_t>(out.pixels());
  const auto rgba = std::make_unique_for_overwrite<png_byte[]>(count * 4);
  if (!read_pixels(decoder, rgba.get(), static_cast<std::size_t>(out.width) * 4, out.height)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const png_byte* p = &rgba[i * 4];
    out.data[i] = {blend_over(ground, p[0], p[3]), blend_over(ground, p[1], p[3]), blend_over(ground, p[2], p[3])};
    image.clear += p[3] < 128;
  }
  return true;
}

// White is the largest value that the stated bits hold, where no value is larger.
bool read_deep(const Decoder& decoder, WholeImage& image, std::uint8_t ground) {
  const View<Rgb> out = image.view();
  const std::size_t channels = png_get_channels(decoder.png, decoder.info),
                    count = static_cast<std::size_t>(out.pixels());
  const auto values = std::make_unique_for_overwrite<std::uint16_t[]>(count * channels);
  if (!read_pixels(decoder, reinterpret_cast<png_bytep>(values.get()),
                   static_cast<std::size_t>(out.width) * channels * sizeof(std::uint16_t), out.height))
    return false;
  std::uint16_t largest = 0;
  for (std::size_t i = 0; i < count * channels; i += channels)
    largest = std::max({largest, values[i], values[i + 1], values[i + 2]});
  const DeepWhite white = white_of(decoder.stated_bits, largest);
  image.remark = white.remark;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t* p = &values[i * channels];
    const unsigned alpha = channels == 4 ? eight_bits(p[3], 0xffff) : 255;
    const auto over = [&](int c) { return blend_over(ground, eight_bits(p[c], white.value), alpha); };
    out.data[i] = {over(0), over(1), over(2)};
    image.clear += alpha < 128;
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

/// Without a unit the numbers are a ratio.
PixelsAUnit resolution_tags(const Decoder& decoder) {
  png_uint_32 x = 0, y = 0;
  int unit = PNG_RESOLUTION_UNKNOWN;
  if (png_get_pHYs(decoder.png, decoder.info, &x, &y, &unit) == 0 || unit != PNG_RESOLUTION_METER) return {};
  return {static_cast<double>(x), static_cast<double>(y), 1e6, "a metre"};
}

/// Its texts, one a line.
std::string texts_of(const Decoder& decoder) {
  png_textp texts = nullptr;
  int count = 0;
  png_get_text(decoder.png, decoder.info, &texts, &count);
  std::string all;
  for (int i = 0; i < count; ++i)
    if (texts[i].key && texts[i].text) all += fmt::format("{} = {}\n", texts[i].key, texts[i].text);
  return all;
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
  image.tags = resolution_tags(decoder);
  image.description = texts_of(decoder);
  const std::size_t bytes_a_row = png_get_rowbytes(decoder.png, decoder.info);
  bool complete = false;
  if (decoder.is_deep) {
    complete = read_deep(decoder, image, probe.opening.ground);
  } else if (bytes_a_row == static_cast<std::size_t>(image.width) * sizeof(Rgb)) {
    complete = read_pixels(decoder, &image.pixels[0].r, bytes_a_row, image.height);
  } else {
    complete = read_transparent(decoder, image, probe.opening.ground);
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
