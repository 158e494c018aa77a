// Specifications of synthetic slides, and names of tiles.
#include "io/slides/tile_names.hpp"
#include "io/synthetic/spec.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string text = fuzz::text_of(data, size);
  const auto name = io::parse_tile_name(text);
  if (name && (name->x < 0 || name->y < 0)) std::abort();
  if (text.find('\n') != std::string::npos) return 0;  // is said again in a message of one line
  fuzz::expect_errors_only([&] {
    const io::SyntheticSpec spec = io::parse_synthetic("synthetic:" + text);
    if (spec.width < 1 || spec.height < 1 || !(spec.mpp > 0)) std::abort();
  });
  return 0;
}
