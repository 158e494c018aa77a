// Writing of PNG pictures, rows after rows.
#pragma once
#include <png.h>

#include <csetjmp>
#include <string>

#include "base/atomic_file.hpp"
#include "codelets/kernels/image.hpp"

namespace starpath::io {

/// Writes the rows of an RGB PNG by libpng. The bytes depend on the pixels and the title alone. Not thread-safe. Throws
/// WriteError; Error{output} where libpng fails.
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
  bool put_row(const Rgb* row);
  bool end();

  void check(bool good) const;

  AtomicFile& file_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  const char* message_ = "out of memory";
};

}  // namespace starpath::io
