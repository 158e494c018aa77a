// TIFF images, classic and BigTIFF, and what OpenSlide takes for a slide of a vendor.
#include "tests/fuzz/slides.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace std::string_view_literals;
  constexpr std::string_view begins[] = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
  // The input says which: its own beginning, where it has one.
  std::string_view begin = begins[0];
  const std::string head = starpath::fuzz::text_of(data, size < 4 ? size : 4);
  for (const std::string_view known : begins)
    if (head == known) begin = known;
  starpath::fuzz::open_and_read(data, size, begin, "slide.svs");
  return 0;
}
