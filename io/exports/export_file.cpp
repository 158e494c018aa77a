// Blocks of text into a file. Why libdeflate and not zlib: at the same size it packs these files three times as fast
// (docs/results.md); libtiff brings it.
#include "io/exports/export_file.hpp"

#include <libdeflate.h>

#include <new>

namespace starpath::io {
namespace {

// Level 5 makes geojson.gz a fifth and csv.gz a twelfth smaller, and takes two and a half and five times as long.
constexpr int kLevel = 1;

}  // namespace

void ExportFile::Free::operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }

ExportFile::ExportFile(const std::filesystem::path& path, Compression compression) : file_(path) {
  block_.reserve(kBlock + kBlock / 8);
  if (compression == Compression::none) return;
  compressor_.reset(libdeflate_alloc_compressor(kLevel));
  if (compressor_ == nullptr) throw std::bad_alloc();
}

void ExportFile::flush() {
  if (compressor_ == nullptr) {
    file_.write(block_);
  } else {
    packed_.resize(libdeflate_gzip_compress_bound(compressor_.get(), block_.size()));
    const std::size_t size =
        libdeflate_gzip_compress(compressor_.get(), block_.data(), block_.size(), packed_.data(), packed_.size());
    file_.write({packed_.data(), size});
  }
  block_.clear();
}

void ExportFile::commit() {
  if (!block_.empty()) flush();
  file_.commit();
}

}  // namespace starpath::io
