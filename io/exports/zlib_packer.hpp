// Bytes as a zlib stream, as PNG and TIFF hold them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct z_stream_s;

namespace starpath::io {

/// Packs one stream by zlib, which looks for runs of one byte only (`Z_RLE`): filtered pixels hold few other repeats.
/// For one thread at a time.
class ZlibPacker {
 public:
  ZlibPacker();
  /// Continues the stream with these bytes, and appends to `packed` as much of it as is ready. `last` ends the stream.
  /// The packed bytes depend on the version of zlib, not on how the bytes are divided into calls. Throws
  /// std::bad_alloc.
  void add(std::span<const std::byte> bytes, bool last, std::vector<std::byte>& packed);

 private:
  struct Free {
    void operator()(z_stream_s* stream) const;
  };
  std::unique_ptr<z_stream_s, Free> stream_;
  std::vector<std::uint8_t> ready_;
};

}  // namespace starpath::io
