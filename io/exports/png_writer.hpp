// Writing of PNG pictures, rows after rows.
#pragma once
#include <png.h>

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "codelets/kernels/image.hpp"
#include "io/exports/zlib_packer.hpp"

namespace starpath::io {

/// Writes the rows of an RGB PNG: libpng writes its chunks, ZlibPacker packs the pixels. The bytes depend on the
/// pixels, the title and the version of zlib. Not thread-safe. Throws WriteError; Error{output} where libpng fails.
class PngWriter {
 public:
  /// The file holds `title` under the keyword "Title", in front of the pixels, unless it is empty.
  PngWriter(AtomicFile& file, int width, int height, const std::string& title = "");
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  void write(View<const Rgb> rows);
  /// After as many rows as the picture is high.
  void finish();

 private:
  // libpng leaves its functions by longjmp: they are called where nothing has to be destroyed.
  static void fail(png_structp png, png_const_charp message);
  static void put(png_structp png, png_bytep data, std::size_t size);
  bool begin(int width, int height, char* title);
  bool put_chunk(const char* name, const std::byte* data, std::size_t size);

  void pack_row(const Rgb* row, std::size_t width);
  void pack_block(bool last);
  void check(bool good) const;

  AtomicFile& file_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  const char* message_ = "out of memory";
  ZlibPacker packer_;
  std::vector<std::uint8_t> above_, line_;  // the row before, and a filtered row
  std::vector<std::byte> block_, packed_;   // filtered rows that wait for the packer, and what it made of them
};

}  // namespace starpath::io
