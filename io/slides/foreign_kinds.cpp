#include "io/slides/foreign_kinds.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/lower_case.hpp"

namespace starpath::io {
namespace {

using std::string_view_literals::operator""sv;
using Kind = std::pair<std::string_view, const char*>;

constexpr auto kMagics = std::to_array<Kind>({
    {"ZISRAWFILE"sv, "a Zeiss CZI file"},
    {"\xda\xce\xbe\x0a"sv, "a Nikon ND2 file"},
    {"\x70\0\0\0"sv, "a Leica LIF file"},
    {"<DataObject ObjectType=\"DPUfsImport\""sv, "a Philips iSyntax file"},
    {"\xd0\xcf\x11\xe0"sv, "a compound file of Microsoft's (as Zeiss ZVI)"},
    {"\x89HDF"sv, "an HDF5 file (as Imaris)"},
    {"GIF8"sv, "a GIF image"},
    {"BM"sv, "a BMP image"},
    {"RIFF"sv, "a RIFF file (WebP image or video)"},
    {"%PDF"sv, "a PDF document"},
    {"PK\x03\x04"sv, "a ZIP archive"},
    {"\x1f\x8b"sv, "a gzip archive"},
    {"7z\xbc\xaf"sv, "a 7z archive"},
    {"\0\0\0\x0cjP  "sv, "a JPEG 2000 image"},
    {"\0\0\0\x0cJXL "sv, "a JPEG XL image"},
    {"\xff\x4f\xff\x51"sv, "a JPEG 2000 codestream"},
    {"SQLite format 3"sv, "an SQLite database"},
});

constexpr auto kEndings = std::to_array<Kind>({
    {".czi"sv, "a Zeiss CZI file"},
    {".zvi"sv, "a Zeiss ZVI file"},
    {".vsi"sv, "an Olympus VSI file"},
    {".ets"sv, "a part of an Olympus VSI slide"},
    {".oir"sv, "an Olympus OIR file"},
    {".isyntax"sv, "a Philips iSyntax file"},
    {".i2syntax"sv, "a Philips iSyntax file"},
    {".lif"sv, "a Leica LIF file"},
    {".nd2"sv, "a Nikon ND2 file"},
    {".dcm"sv, "a DICOM file"},
    {".kfb"sv, "a KFBIO slide"},
    {".kfbf"sv, "a KFBIO slide"},
    {".sdpc"sv, "a Sqray slide"},
    {".tmap"sv, "a UNIC TMAP slide"},
    {".mds"sv, "a Motic MDS slide"},
    {".mdsx"sv, "a Motic MDS slide"},
    {".tron"sv, "an InteMedic TRON slide"},
    {".afi"sv, "an Aperio AFI list of fluorescence slides"},
    {".zarr"sv, "a Zarr store"},
    {".jp2"sv, "a JPEG 2000 image"},
    {".jpx"sv, "a JPEG 2000 image"},
    {".j2k"sv, "a JPEG 2000 codestream"},
    {".jxl"sv, "a JPEG XL image"},
    {".heic"sv, "a HEIC image"},
    {".webp"sv, "a WebP image"},
    {".gif"sv, "a GIF image"},
    {".bmp"sv, "a BMP image"},
});

}  // namespace

std::string foreign_ending(const std::filesystem::path& file) {
  const auto found = std::ranges::find(kEndings, lower_case(file.extension().string()), &Kind::first);
  return found == kEndings.end() ? "" : found->second;
}

std::string foreign_kind(const std::filesystem::path& file, std::string_view head) {
  for (const auto& [bytes, kind] : kMagics)
    if (head.starts_with(bytes)) return kind;
  return foreign_ending(file);
}

}  // namespace starpath::io
