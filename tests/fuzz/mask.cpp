// Regions from a picture.
#include "io/annotations/region_files.hpp"
#include "io/masks/mask_region.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = fuzz::file_of(fuzz::text_of(data, size), "mask.png");
  fuzz::expect_errors_only([&] {
    const io::RegionMap map({io::read_mask(file, 640, 480)}, {});
    map.areas({0, 0, 640, 480});
    for (double at = 0; at < 480; at += 40) {
      map.region_of(at, at);
      map.wants({at, at, at + 40, at + 40});
    }
    io::regions_geojson(map);
  });
  return 0;
}
