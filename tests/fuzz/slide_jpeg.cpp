// JPEG images.
#include "tests/fuzz/slides.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  starpath::fuzz::open_and_read(data, size, "\xff\xd8\xff", "slide.jpg");
  return 0;
}
