// Whole-slide images of DICOM.
#include "tests/fuzz/slides.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 132) return 0;
  std::string bytes = starpath::fuzz::text_of(data, size);
  bytes.replace(128, 4, "DICM");
  const std::string path = starpath::fuzz::file_of(bytes, "slide.dcm");
  starpath::fuzz::expect_errors_only([&] { starpath::fuzz::read_everywhere(*starpath::io::open_slide(path)); });
  return 0;
}
