// JPEG images, decoded whole by libjpeg-turbo.
#include <turbojpeg.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "io/slides/memory_slide.hpp"

namespace starpath::io {
namespace {

constexpr const char* kDamagedHint = "the file may be damaged: copy or download it again";

std::vector<unsigned char> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_input(path, "cannot be opened", "check its permissions");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

WholeImage decode_jpeg(const std::string& path) {
  const std::vector<unsigned char> bytes = read_file(path);
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder) fail_input(path, "libjpeg-turbo cannot start", "free some memory");
  int width = 0, height = 0, subsampling = 0, colours = 0;
  if (tjDecompressHeader3(decoder.get(), bytes.data(), bytes.size(), &width, &height, &subsampling, &colours) != 0)
    fail_input(path, std::string("JPEG cannot be read: ") + tjGetErrorStr2(decoder.get()), kDamagedHint);
  if (width < 1 || height < 1)
    fail_input(path, "JPEG cannot be read: it has no pixels or is cut off in its header", kDamagedHint);
  if (colours == TJCS_CMYK || colours == TJCS_YCCK)
    fail_input(path, "JPEG is in CMYK colours, which are not read", "convert it to RGB");
  WholeImage image = make_whole_image(path, width, height);
  // The exact transform: the fast one differs between machines. A warning (data cut off or damaged, pixels made up) is
  // an error.
  if (tjDecompress2(decoder.get(), bytes.data(), bytes.size(), &image.pixels[0].r, width, 0, height, TJPF_RGB,
                    TJFLAG_ACCURATEDCT) != 0)
    fail_input(path, std::string("JPEG cannot be decoded: ") + tjGetErrorStr2(decoder.get()), kDamagedHint);
  return image;
}

bool recognises(const InputProbe& probe) { return probe.begins_with("\xff\xd8\xff"); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return make_memory_slide(probe.input, "jpeg", decode_jpeg(probe.input));
}

}  // namespace

const SlideBackend kJpegBackend = {"JPEG", recognises, open};

}  // namespace starpath::io
