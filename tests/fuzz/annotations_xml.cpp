// Annotations of ASAP, ImageScope and HALO, and text in any encoding.
#include "base/text_encoding.hpp"
#include "io/annotations/packed_text.hpp"
#include "io/annotations/xml_annotations.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const auto expect_flaws_only = [](const auto& work) {
    try {
      work();
    } catch (const io::Flaw& flaw) {
      if (flaw.what.empty() || flaw.advice.empty()) std::abort();
    }
  };
  expect_flaws_only([&] {
    const DecodedText decoded = decoded_text(io::unpacked(fuzz::text_of(data, size), std::size_t{1} << 24));
    for (const auto wanted : {io::Geometries::areas, io::Geometries::areas_and_points})
      io::xml_annotations(decoded.text, decoded.encoding == TextEncoding::latin1, wanted);
  });
  return 0;
}
