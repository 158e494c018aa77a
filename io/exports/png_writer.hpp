// Writing of PNG pictures, rows after rows.
#pragma once
#include <png.h>

#include <csetjmp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/on_threads.hpp"
#include "codelets/kernels/image.hpp"
#include "io/exports/png_packer.hpp"

namespace starpath::io {

/// Writes the rows of an RGB PNG. libpng makes the file; it would pack the pixels in one thread, so PngPacker does
/// that. The bytes depend on the pixels alone. Not thread-safe. Throws WriteError; Error{output} where libpng fails or
/// a row has more than 2^28 pixels; std::bad_alloc.
class PngWriter {
 public:
  /// `title`: a text that the file holds by this name; empty: none.
  PngWriter(AtomicFile& file, int width, int height, const std::string& title = "");
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  void write(View<const Rgb> rows) {
    ThreadBudget one(1);
    write(rows, one);
  }
  void write(View<const Rgb> rows, ThreadBudget& threads);
  /// After as many rows as the picture is high.
  void finish();

 private:
  // libpng leaves its functions by longjmp: they are called where nothing has to be destroyed.
  static void fail(png_structp png, png_const_charp message);
  static void put(png_structp png, png_bytep data, std::size_t size);
  bool begin(int width, int height, char* title);
  bool put_chunk(const char* name, const std::vector<std::uint8_t>& bytes);

  void check(bool good) const;
  void put_packed(PackedRows& packed);

  AtomicFile& file_;
  const int width_, height_, piece_;  // rows of the picture, and of a piece that is packed at once
  std::vector<Rgb> rows_;             // from the one above the first that was not packed
  int packed_ = 0;                    // rows
  std::uint32_t adler_ = 1;
  std::vector<PngPacker> packers_;  // by thread
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  const char* message_ = "out of memory";
};

}  // namespace starpath::io
