// The description of an OME-TIFF.
#include "io/slides/ome_xml.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string text = fuzz::text_of(data, size);
  fuzz::expect_errors_only([&] { io::ome_image("a.ome.tif", text, 40, 24, 3); });
  return 0;
}
