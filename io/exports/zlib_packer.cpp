// zlib's stream of deflate.
#include "io/exports/zlib_packer.hpp"

#include <zlib.h>

#include <new>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kReadyBytes = std::size_t{1} << 16;
constexpr int kLevel = 6;
constexpr int kWindowBits = 15;
constexpr int kMemoryLevel = 8;

}  // namespace

void ZlibPacker::Free::operator()(z_stream_s* stream) const {
  deflateEnd(stream);
  delete stream;
}

ZlibPacker::ZlibPacker() : stream_(new z_stream_s{}), ready_(kReadyBytes) {
  if (deflateInit2(stream_.get(), kLevel, Z_DEFLATED, kWindowBits, kMemoryLevel, Z_RLE) != Z_OK) throw std::bad_alloc();
}

void ZlibPacker::add(std::span<const std::byte> bytes, bool last, std::vector<std::byte>& packed) {
  // The library only reads what it is given as not constant.
  stream_->next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream_->avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_->next_out = ready_.data();
    stream_->avail_out = static_cast<uInt>(ready_.size());
    if (deflate(stream_.get(), last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
      throw Error(ErrorKind::internal, "zlib cannot pack; please report this");
    const auto* begin = reinterpret_cast<const std::byte*>(ready_.data());
    packed.insert(packed.end(), begin, begin + (ready_.size() - stream_->avail_out));
  } while (stream_->avail_out == 0);
}

}  // namespace starpath::io
