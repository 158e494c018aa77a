// ISA-L's stream of deflate.
#include "io/exports/zlib_packer.hpp"

#include <isa-l/igzip_lib.h>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kReadyBytes = std::size_t{1} << 16;

}  // namespace

void ZlibPacker::Free::operator()(isal_zstream* stream) const { delete stream; }

ZlibPacker::ZlibPacker() : stream_(new isal_zstream), level_buffer_(ISAL_DEF_LVL1_DEFAULT), ready_(kReadyBytes) {
  begin();
}

void ZlibPacker::begin() {
  isal_deflate_init(stream_.get());
  stream_->level = 1;
  stream_->level_buf = level_buffer_.data();
  stream_->level_buf_size = static_cast<std::uint32_t>(level_buffer_.size());
  stream_->gzip_flag = IGZIP_ZLIB;
}

void ZlibPacker::add(std::span<const std::byte> bytes, bool last, std::vector<std::byte>& packed) {
  // The library only reads what it is given as not constant.
  stream_->next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(bytes.data()));
  stream_->avail_in = static_cast<std::uint32_t>(bytes.size());
  stream_->end_of_stream = last ? 1 : 0;
  do {
    stream_->next_out = ready_.data();
    stream_->avail_out = static_cast<std::uint32_t>(ready_.size());
    if (isal_deflate(stream_.get()) != COMP_OK)
      throw Error(ErrorKind::internal, "ISA-L cannot pack; please report this");
    const auto* begin = reinterpret_cast<const std::byte*>(ready_.data());
    packed.insert(packed.end(), begin, begin + (ready_.size() - stream_->avail_out));
  } while (stream_->avail_out == 0);
}

}  // namespace starpath::io
