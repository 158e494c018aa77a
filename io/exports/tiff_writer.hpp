// libtiff on top of an AtomicFile.
#pragma once
#include <tiffio.h>

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <string>

#include "base/atomic_file.hpp"

namespace starpath::io {

/// Classic TIFF ends at 4 GiB; some room for its directories.
inline constexpr std::int64_t kClassicTiffLimit = 4'000'000'000;

/// Writes a little-endian TIFF. Not thread-safe. Throws WriteError; Error{output} where libtiff fails.
class TiffWriter {
 public:
  /// `name` tells people which export fails. `big`: as BigTIFF.
  TiffWriter(AtomicFile& file, std::string name, bool big);
  TiffWriter(const TiffWriter&) = delete;
  TiffWriter& operator=(const TiffWriter&) = delete;

  TIFF* get() const { return tiff_.get(); }
  /// Throws unless a call of libtiff went well.
  void check(bool good) const;
  template <class... Values>
  void set(std::uint32_t tag, Values... values) const {
    check(TIFFSetField(get(), tag, values...) == 1);
  }
  /// Writes what is left.
  void close();

 private:
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  static int report(TIFF*, void* writer, const char*, const char* format, va_list arguments);

  AtomicFile& file_;
  const std::string name_;
  std::string message_ = "no reason given";
  std::unique_ptr<TIFF, Close> tiff_;
};

}  // namespace starpath::io
