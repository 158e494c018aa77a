// What the description of a TIFF says of a resolution; the first byte chooses the tags beside it.
#include <cmath>

#include "io/slides/stated_scale.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  if (size == 0) return 0;
  const std::string text = fuzz::text_of(data + 1, size - 1);
  const io::PixelsAUnit tags = data[0] % 3 == 0   ? io::pixels_a_centimetre(data[0] * 400.0, data[0] * 410.0)
                               : data[0] % 3 == 1 ? io::pixels_an_inch(data[0], data[0])
                                                  : io::PixelsAUnit{data[0] / 16.0, data[0] / 16.0};
  io::SlideInfo info;
  io::take_statements(io::read_statements(tags, text, 1400, 1000), info);
  if (!(info.mpp == 0 || (info.mpp >= 0.02 && info.mpp <= 10))) std::abort();
  if (!(info.power >= 0 && std::isfinite(info.power))) std::abort();
  if (info.mpp_doubt.find_first_of("\r\n") != std::string::npos) std::abort();
  return 0;
}
