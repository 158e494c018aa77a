// A file of text that an export writes: in blocks, as it is or packed with gzip.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/exports/export_options.hpp"

struct libdeflate_compressor;

namespace starpath::io {

/// As AtomicFile: whole under its name after commit(), or not there at all. A packed file consists of several gzip
/// members, one a block, as RFC 1952 allows. Throws WriteError; std::bad_alloc. Not thread-safe.
class ExportFile {
 public:
  ExportFile(const std::filesystem::path& path, Compression compression);

  void write(std::string_view text) {
    block_ += text;
    if (block_.size() >= kBlock) flush();
  }
  void commit();

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
  };
  void flush();

  AtomicFile file_;
  std::unique_ptr<libdeflate_compressor, Free> compressor_;  // none: not packed
  std::string block_;
  std::vector<char> packed_;
};

}  // namespace starpath::io
