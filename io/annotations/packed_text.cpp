#include "io/annotations/packed_text.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>
#include <utility>

#include "io/annotations/drawn.hpp"

namespace starpath::io {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array<std::pair<std::string_view, const char*>, 5> kOtherArchives = {
    {{"PK\x03\x04"sv, "a ZIP archive"},
     {"BZh"sv, "packed by bzip2"},
     {"\xfd"
      "7zXZ"sv,
      "packed by xz"},
     {"\x28\xb5\x2f\xfd"sv, "packed by zstd"},
     {"7z\xbc\xaf"sv, "a 7z archive"}}};

class Inflater {
 public:
  Inflater() { inflateInit2(&stream_, 16 + MAX_WBITS); }  // of gzip alone
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Takes a piece of `in`. What comes out of it goes behind `out`. Returns whether a member of the file ended.
  bool inflate_from(std::string_view& in, std::string& out) {
    std::array<char, std::size_t{1} << 16> piece;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    const auto given = static_cast<uInt>(std::min<std::size_t>(in.size(), UINT_MAX));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_out = piece.size();
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END)
      throw Flaw{"is packed by gzip and is damaged or cut off", "pack it again, or copy it again"};
    in.remove_prefix(given - stream_.avail_in);
    out.append(piece.data(), piece.size() - stream_.avail_out);
    if (result == Z_STREAM_END) inflateReset(&stream_);
    return result == Z_STREAM_END;
  }

 private:
  z_stream stream_{};
};

}  // namespace

std::string unpacked(std::string bytes, std::size_t most) {
  for (const auto& [begin, kind] : kOtherArchives)
    if (bytes.starts_with(begin)) throw Flaw{fmt::format("is {}", kind), "unpack it, and name the file that was in it"};
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  std::string text;
  Inflater inflater;
  bool ended = false;
  for (std::string_view rest = bytes; !rest.empty() || !ended;) {
    ended = inflater.inflate_from(rest, text);
    if (text.size() > most)
      throw Flaw{fmt::format("unpacks to more than {} MiB", most >> 20), "leave out of it what is no annotation"};
  }
  return text;
}

}  // namespace starpath::io
