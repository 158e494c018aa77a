// Chunks of PNG (ISO 15948) in front of the pixels; libtiff for the tags of TIFF.
#include "io/outputs/picture_start.hpp"

#include <tiffio.h>
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/own_file.hpp"

namespace starpath::io {
namespace {

using Chunk = std::pair<std::string, std::string>;  // type and data

/// Up to the first chunk of pixels, whose data may be cut off. Empty for a file that is no PNG.
std::vector<Chunk> first_chunks(const std::filesystem::path& file) {
  constexpr std::size_t most = std::size_t{1} << 16, signature = 8, frame = 12;  // length, type, checksum
  const std::string bytes = first_bytes(file, most);
  std::vector<Chunk> chunks;
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) return chunks;
  for (std::size_t at = signature; at + frame <= bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | std::size_t{static_cast<unsigned char>(bytes[at + i])};
    chunks.emplace_back(bytes.substr(at + 4, 4), bytes.substr(at + 8, length));
    if (chunks.back().first == "IDAT") break;
    at += frame + length;
  }
  return chunks;
}

/// The filter of the first row; -1 when the data is damaged.
int first_filter(std::string_view packed) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return -1;
  std::string input(packed);
  std::uint8_t filter = 0;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = &filter;
  stream.avail_out = 1;
  const int result = inflate(&stream, Z_SYNC_FLUSH);
  const bool good = (result == Z_OK || result == Z_STREAM_END) && stream.avail_out == 0;
  inflateEnd(&stream);
  return good ? filter : -1;
}

}  // namespace

bool is_picture_titled(const std::filesystem::path& file, const std::string& title) {
  const std::string text = std::string("Title") + '\0' + title;
  for (const auto& [type, data] : first_chunks(file))
    if (type == "tEXt" && data == text) return true;
  return false;
}

bool is_untitled_picture(const std::filesystem::path& file) {
  const std::vector<Chunk> chunks = first_chunks(file);
  if (chunks.size() != 2 || chunks[0].first != "IHDR" || chunks[1].first != "IDAT") return false;
  const std::string& header = chunks[0].second;
  if (!header.ends_with(std::string_view("\x08\x02\0\0\0", 5)) || chunks[1].second.size() < 2) return false;
  enum { kSub = 1, kUp = 2, kPaeth = 4 };
  const int speed = static_cast<unsigned char>(chunks[1].second[1]) >> 6;  // RFC 1950: FLEVEL
  const int filter = first_filter(chunks[1].second);
  return (speed == 0 && filter == kPaeth) || (speed == 1 && (filter == kSub || filter == kUp));
}

bool is_tiff_of(const std::filesystem::path& file, const std::string& program) {
  const auto say_nothing = [](TIFF*, void*, const char*, const char*, va_list) { return 1; };
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), say_nothing, nullptr);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), say_nothing, nullptr);
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(TIFFOpenExt(file.c_str(), "rm", options.get()), TIFFClose);
  const char* software = nullptr;
  return tiff != nullptr && TIFFGetField(tiff.get(), TIFFTAG_SOFTWARE, &software) == 1 && software == program;
}

}  // namespace starpath::io
