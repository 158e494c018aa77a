// Writing of PNG pictures, rows after rows.
#include "io/exports/png_writer.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr int kWidest = 1 << 28;  // pixels: a piece is a chunk, which has 2^31 bytes at most
constexpr std::size_t kPiece = std::size_t{1}
                               << 18;  // bytes, or a row: little beside it is what makes it end at a byte
constexpr char kData[] = "IDAT", kEnd[] = "IEND";

int rows_of_a_piece(int width) {
  if (width > kWidest)
    throw Error(ErrorKind::output, fmt::format("a PNG of {} pixels a row is too wide; at most {} fit", width, kWidest));
  return static_cast<int>(std::max<std::size_t>(kPiece / (static_cast<std::size_t>(width) * sizeof(Rgb)), 1));
}

}  // namespace

PngWriter::PngWriter(AtomicFile& file, int width, int height, const std::string& title)
    : file_(file), width_(width), height_(height), piece_(rows_of_a_piece(width)) {
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

bool PngWriter::put_chunk(const char* name, const std::vector<std::uint8_t>& bytes) {
  if (setjmp(jump_) != 0) return false;
  png_write_chunk(png_, reinterpret_cast<png_const_bytep>(name), bytes.data(), bytes.size());
  return true;
}

void PngWriter::check(bool good) const {
  file_.check();
  if (!good)
    throw Error(ErrorKind::output, std::string("libpng failed (") + message_ + "); check the memory and try again");
}

void PngWriter::write(View<const Rgb> rows, ThreadBudget& threads) {
  for (int y = 0; y < rows.height; ++y) rows_.insert(rows_.end(), rows.row(y), rows.row(y) + width_);
  const auto width = static_cast<std::size_t>(width_);
  const std::size_t above = packed_ > 0 ? 1 : 0;  // rows in front
  const auto waiting = static_cast<int>(rows_.size() / width - above);
  const bool whole = packed_ + waiting == height_;
  const int count = whole ? (waiting + piece_ - 1) / piece_ : waiting / piece_;
  if (count == 0) return;
  packers_.resize(std::max(packers_.size(), static_cast<std::size_t>(threads.all())));
  std::vector<PackedRows> pieces(static_cast<std::size_t>(count));
  on_threads(threads, pieces.size(), [&](std::size_t i, int thread) {
    const int first = static_cast<int>(i) * piece_, height = std::min(piece_, waiting - first);
    const Rgb* const begin = rows_.data() + (static_cast<std::size_t>(first) + above) * width;
    packers_[static_cast<std::size_t>(thread)].pack({begin, width_, height, width_},
                                                    packed_ + first > 0 ? begin - width : nullptr,
                                                    packed_ + first + height == height_, pieces[i]);
  });
  for (PackedRows& piece : pieces) put_packed(piece);
  // The last row that was packed stays: it is above those to come.
  const auto done = static_cast<std::size_t>(std::min(count * piece_, waiting)) + above - 1;
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(done * width));
}

/// Adds zlib's head in front of the first rows, and its end behind the last.
void PngWriter::put_packed(PackedRows& packed) {
  constexpr std::array<std::uint8_t, 2> head = {0x78, 0x01};  // RFC 1950: deflate, 32 KiB, the fastest
  if (packed_ == 0) packed.bytes.insert(packed.bytes.begin(), head.begin(), head.end());
  adler_ = static_cast<std::uint32_t>(adler32_combine(adler_, packed.adler, static_cast<z_off_t>(packed.filtered)));
  packed_ += static_cast<int>(packed.filtered / (static_cast<std::size_t>(width_) * sizeof(Rgb) + 1));
  if (packed_ == height_)
    for (int shift = 24; shift >= 0; shift -= 8) packed.bytes.push_back(static_cast<std::uint8_t>(adler_ >> shift));
  check(put_chunk(kData, packed.bytes));
}

void PngWriter::finish() { check(put_chunk(kEnd, {})); }

}  // namespace starpath::io
