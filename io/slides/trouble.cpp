// By words of OpenSlide 3.4 and 4.0, libtiff, libjpeg-turbo, libpng and the C library.
#include "io/slides/trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/pure/parse_number.hpp"

namespace starpath::io {
namespace {

using std::string_view_literals::operator""sv;

constexpr auto kCompressions = std::to_array<std::pair<unsigned, const char*>>({
    {2, "CCITT RLE"},
    {3, "CCITT fax 3"},
    {4, "CCITT fax 4"},
    {6, "old-style JPEG"},
    {9, "JBIG"},
    {10, "JBIG"},
    {22610, "JPEG XR"},
    {32766, "NeXT"},
    {32809, "ThunderScan"},
    {32908, "PIXAR film"},
    {32909, "PIXAR log"},
    {33003, "JPEG 2000"},
    {33004, "JPEG 2000"},
    {33005, "JPEG 2000"},
    {33007, "JPEG"},
    {34661, "JBIG"},
    {34676, "SGI LogLuv"},
    {34677, "SGI LogLuv"},
    {34712, "JPEG 2000"},
    {34887, "LERC"},
    {34892, "lossy JPEG of DNG"},
    {34925, "LZMA"},
    {34926, "Zstandard, old"},
    {34927, "WebP, old"},
    {34933, "PNG"},
    {34934, "JPEG XR"},
    {50000, "Zstandard"},
    {50001, "WebP"},
    {50002, "JPEG XL"},
    {52546, "JPEG XL of DNG"},
});

struct Remedy {
  std::string_view advice;
  std::array<std::string_view, 8> words;  // of which the message has one
};

constexpr std::string_view kDamaged = "the file may be damaged: copy or download it again";

// The first that fits.
constexpr auto kRemedies = std::to_array<Remedy>({
    {kDamaged, {"Unsupported marker type"sv}},
    {"check the permissions of the slide and its folder", {"Permission denied"sv, "Operation not permitted"sv}},
    {"raise the limit on open files (ulimit -n)", {"Too many open files"sv}},
    {"check the disk that it is on", {"Input/output error"sv, "Stale file handle"sv, "Transport endpoint"sv}},
    {"free some memory", {"Cannot allocate memory"sv, "Insufficient memory"sv, "Out of memory"sv, "out of memory"sv}},
    {"it is of a newer Ventana scanner (as DP 200): OpenSlide reads these from version 4.0 on; or convert it to a "
     "tiled TIFF",
     {"Bad direction attribute"sv}},
    {"a part of the slide is missing: copy all files and folders that belong to it, and keep them together and their "
     "names",
     {"No such file"sv, "Slidedat.ini"sv, "Can't load key file"sv, "Couldn't read key file"sv,
      "Missing optimisation file"sv, "Can't open JPEG"sv}},
    {"convert it to a tiled TIFF of 8-bit RGB",
     {"Unsupported"sv, "not supported"sv, "unsupported"sv, "Cannot handle"sv, "is not implemented"sv,
      "not configured"sv, "Unrecognized image format"sv, "subsampling type"sv}},
});

bool has_one(std::string_view message, const std::array<std::string_view, 8>& words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return !word.empty() && message.find(word) != message.npos; });
}

}  // namespace

std::string compression_name(unsigned compression) {
  for (const auto& [number, name] : kCompressions)
    if (number == compression) return name;
  return fmt::format("number {}", compression);
}

std::string explained(std::string message) {
  constexpr std::string_view numbered = "Unsupported TIFF compression: ";
  const std::size_t at = message.find(numbered);
  if (at == std::string::npos) return message;
  const std::size_t begin = at + numbered.size();
  const std::size_t end = std::min(message.find_first_not_of("0123456789", begin), message.size());
  if (const auto number = parse_number<unsigned>(std::string_view(message).substr(begin, end - begin)))
    message.insert(end, fmt::format(" ({})", compression_name(*number)));
  return message;
}

std::string_view advice_on(std::string_view message) {
  for (const Remedy& remedy : kRemedies)
    if (has_one(message, remedy.words)) return remedy.advice;
  return kDamaged;
}

}  // namespace starpath::io
