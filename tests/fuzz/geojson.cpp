// Regions drawn in QuPath, and the area that they cover.
#include "io/annotations/polygon.hpp"
#include "io/annotations/read_annotations.hpp"
#include "io/annotations/region_files.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = fuzz::file_of(fuzz::text_of(data, size), "regions.geojson");
  fuzz::expect_errors_only([&] {
    for (const io::Annotation& annotation : io::read_annotations(file, io::Geometries::areas_and_points).annotations)
      for (const io::Polygon& polygon : annotation.polygons) {
        const io::Box box = io::bounds(polygon);
        const io::Polygon part = io::between_columns(io::between_rows(polygon, box.y0, box.y1), 0, 512);
        io::area(polygon);
        io::area(part);
      }
  });
  fuzz::expect_errors_only([&] {
    const io::RegionMap map(io::read_region_file(file, 600, 500), {});
    const io::Box slide{0, 0, 600, 500};
    map.areas(slide);
    for (double at = 0; at < 500; at += 50) {
      map.region_of(at, at);
      map.wants({at, at, at + 50, at + 50});
    }
    io::regions_geojson(map);
  });
  return 0;
}
