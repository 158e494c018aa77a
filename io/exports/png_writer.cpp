// Writing of PNG pictures, rows after rows.
#include "io/exports/png_writer.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kPixelBytes = sizeof(Rgb);
// The packer gets blocks of this size, so that the file does not depend on how many rows are written at once.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::uint8_t kAverage = 3;

/// PNG's filter Average: each byte less the mean of those to the left and above.
void filter_average(const std::uint8_t* row, const std::uint8_t* above, std::size_t size, std::uint8_t* out) {
  for (std::size_t i = 0; i < kPixelBytes; ++i) out[i] = static_cast<std::uint8_t>(row[i] - above[i] / 2);
  for (std::size_t i = kPixelBytes; i < size; ++i)
    out[i] = static_cast<std::uint8_t>(row[i] - (row[i - kPixelBytes] + above[i]) / 2);
}

}  // namespace

PngWriter::PngWriter(AtomicFile& file, int width, int height, const std::string& title)
    : file_(file), above_(kPixelBytes * static_cast<std::size_t>(width)), line_(1 + above_.size(), kAverage) {
  std::string text = title;
  png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
  info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
  if (info_ == nullptr || !begin(width, height, text.empty() ? nullptr : text.data())) {
    png_destroy_write_struct(&png_, &info_);
    check(false);
  }
}

void PngWriter::fail(png_structp png, png_const_charp message) {
  auto* self = static_cast<PngWriter*>(png_get_error_ptr(png));
  self->message_ = message;
  std::longjmp(self->jump_, 1);
}

void PngWriter::put(png_structp png, png_bytep data, std::size_t size) {
  if (!static_cast<AtomicFile*>(png_get_io_ptr(png))->try_write(data, size)) png_error(png, "write failed");
}

bool PngWriter::begin(int width, int height, char* title) {
  if (setjmp(jump_) != 0) return false;
  png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_write_fn(png_, &file_, put, nullptr);
  png_set_IHDR(png_, info_, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (title != nullptr) {
    char name[] = "Title";
    png_text text{};
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = name;
    text.text = title;
    png_set_text(png_, info_, &text, 1);
  }
  png_write_info(png_, info_);
  return true;
}

bool PngWriter::put_chunk(const char* name, const std::byte* data, std::size_t size) {
  if (setjmp(jump_) != 0) return false;
  png_write_chunk(png_, reinterpret_cast<png_const_bytep>(name), reinterpret_cast<png_const_bytep>(data), size);
  return true;
}

void PngWriter::pack_row(const Rgb* row, std::size_t width) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(row);
  filter_average(bytes, above_.data(), width * kPixelBytes, line_.data() + 1);
  std::copy_n(bytes, width * kPixelBytes, above_.data());
  for (std::span<const std::byte> left = std::as_bytes(std::span(line_)); !left.empty();) {
    const std::span<const std::byte> part = left.first(std::min(left.size(), kBlockBytes - block_.size()));
    block_.insert(block_.end(), part.begin(), part.end());
    left = left.subspan(part.size());
    if (block_.size() == kBlockBytes) pack_block(false);
  }
}

void PngWriter::pack_block(bool last) {
  packed_.clear();
  packer_.add(block_, last, packed_);
  block_.clear();
  if (!packed_.empty()) check(put_chunk("IDAT", packed_.data(), packed_.size()));
}

void PngWriter::check(bool good) const {
  file_.check();
  if (!good)
    throw Error(ErrorKind::output, std::string("libpng failed (") + message_ + "); check the memory and try again");
}

void PngWriter::write(View<const Rgb> rows) {
  for (int y = 0; y < rows.height; ++y) pack_row(rows.row(y), static_cast<std::size_t>(rows.width));
}

void PngWriter::finish() {
  pack_block(true);
  check(put_chunk("IEND", nullptr, 0));
}

}  // namespace starpath::io
