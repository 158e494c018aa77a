// JPEG images, decoded whole by libjpeg-turbo.
#include <fmt/format.h>
#include <turbojpeg.h>

#include <span>
#include <string>
#include <utility>

#include "base/read_file.hpp"
#include "io/slides/jpeg_markers.hpp"
#include "io/slides/memory_slide.hpp"
#include "io/slides/trouble.hpp"

namespace starpath::io {
namespace {

constexpr const char* kDamagedHint = "the file may be damaged: copy or download it again";

// A scan that says nothing new takes a few bytes of the file, and the decoder as long as any other. The usual ten scans
// of 860 million pixels are this many.
constexpr std::int64_t kMostScannedPixels = std::int64_t{1} << 33;

// A block of 64 pixels takes at least one bit in Huffman's code; arithmetic codes go below, so far.
constexpr std::int64_t kMostFromAByte = 64 * 8, kMostFromAnArithmeticByte = 64 * kMostFromAByte;

/// Without a unit the numbers are a ratio.
PixelsAUnit resolution_tags(const JpegMarkers& markers) {
  if (markers.density_unit == 1) return pixels_an_inch(markers.density_x, markers.density_y);
  return markers.density_unit == 2 ? pixels_a_centimetre(markers.density_x, markers.density_y) : PixelsAUnit{};
}

[[noreturn]] void fail(const std::string& path, const char* what, tjhandle decoder) {
  const std::string why = tjGetErrorStr2(decoder);
  fail_input(path, what + why, std::string(advice_on(why)));
}

/// Before any memory is taken: checks that the file can hold the pixels that its header claims, and is worth the work.
void check_claim(const std::string& path, std::span<const unsigned char> bytes, const JpegMarkers& markers, int width,
                 int height) {
  const std::int64_t pixels = std::int64_t{width} * height;
  const std::int64_t from_a_byte = markers.arithmetic ? kMostFromAnArithmeticByte : kMostFromAByte;
  if (pixels / from_a_byte > static_cast<std::int64_t>(bytes.size()))
    fail_input(path,
               fmt::format("JPEG cannot be decoded: its header claims {} x {} pixels, more than {} bytes can hold",
                           width, height, bytes.size()),
               kDamagedHint);
  if (static_cast<std::int64_t>(markers.scans) > kMostScannedPixels / pixels)
    fail_input(path,
               fmt::format("JPEG is not decoded: it has {} scans of {} x {} pixels, more work than any picture needs",
                           markers.scans, width, height),
               "convert it to a baseline JPEG or a PNG");
}

WholeImage decode_jpeg(const InputProbe& probe) {
  const std::string& path = probe.input;
  const std::string file = read_file(path);
  const std::span bytes(reinterpret_cast<const unsigned char*>(file.data()), file.size());
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder) fail_input(path, "libjpeg-turbo cannot start", "free some memory");
  int width = 0, height = 0, subsampling = 0, colours = 0;
  if (tjDecompressHeader3(decoder.get(), bytes.data(), bytes.size(), &width, &height, &subsampling, &colours) != 0)
    fail(path, "JPEG cannot be read: ", decoder.get());
  if (width < 1 || height < 1)
    fail_input(path, "JPEG cannot be read: it has no pixels or is cut off in its header", kDamagedHint);
  if (colours == TJCS_CMYK || colours == TJCS_YCCK)
    fail_input(path, "JPEG is in CMYK colours, which are not read", "convert it to RGB");
  JpegMarkers markers = jpeg_markers(bytes);
  check_claim(path, bytes, markers, width, height);
  WholeImage image = make_whole_image(probe, width, height);
  image.tags = resolution_tags(markers);
  image.description = std::move(markers.comment);
  // The exact transform: the fast one differs between machines. A warning (data cut off or damaged, pixels made up) is
  // an error.
  if (tjDecompress2(decoder.get(), bytes.data(), bytes.size(), &image.pixels[0].r, width, 0, height, TJPF_RGB,
                    TJFLAG_ACCURATEDCT) != 0)
    fail(path, "JPEG cannot be decoded: ", decoder.get());
  return image;
}

bool recognises(const InputProbe& probe) { return probe.begins_with("\xff\xd8\xff"); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return make_memory_slide(probe.input, "jpeg", decode_jpeg(probe));
}

}  // namespace

const SlideBackend kJpegBackend = {"JPEG", recognises, open};

}  // namespace starpath::io
