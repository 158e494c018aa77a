// PNG images.
#include "tests/fuzz/slides.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  starpath::fuzz::open_and_read(data, size, "\x89PNG\r\n\x1a\n", "slide.png");
  return 0;
}
