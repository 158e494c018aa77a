// Rows of a picture to a piece of the compressed data of a PNG.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

/// Filtered and packed rows. Pieces of neighbouring rows, one behind the other, are one stream.
struct PackedRows {
  std::vector<std::uint8_t> bytes;  ///< deflate without zlib's head and end
  std::uint32_t adler = 1;          ///< Adler-32 of the filtered rows
  std::size_t filtered = 0;         ///< bytes of those
};

/// Packs rows on their own, so that several threads pack one picture. For one thread at a time. Throws std::bad_alloc;
/// Error{internal} where zlib breaks its promise of a bound.
class PngPacker {
 public:
  PngPacker();
  /// `above`: the row over the first; nullptr: there is none. `last`: no rows follow. The bytes depend on the arguments
  /// alone.
  void pack(View<const Rgb> rows, const Rgb* above, bool last, PackedRows& packed);

 private:
  struct Free {
    void operator()(z_stream* stream) const;
  };
  std::unique_ptr<z_stream, Free> stream_;
  std::vector<std::uint8_t> filtered_;
};

}  // namespace starpath::io
