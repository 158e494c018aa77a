// Bytes as a zlib stream, as PNG and TIFF hold them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct isal_zstream;

namespace starpath::io {

/// Packs by ISA-L, at its fastest level that looks for repeats. For one thread at a time.
class ZlibPacker {
 public:
  ZlibPacker();
  /// Begins a new stream.
  void begin();
  /// Continues the stream with these bytes, and appends to `packed` as much of it as is ready. `last` ends the stream.
  /// The packed bytes depend on the version of ISA-L, perhaps on the vector instructions that it finds, and on how the
  /// bytes are divided into calls.
  void add(std::span<const std::byte> bytes, bool last, std::vector<std::byte>& packed);

 private:
  struct Free {
    void operator()(isal_zstream* stream) const;
  };
  std::unique_ptr<isal_zstream, Free> stream_;
  std::vector<std::uint8_t> level_buffer_, ready_;
};

}  // namespace starpath::io
