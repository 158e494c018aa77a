// Each export is known again by what it says of itself, those of 0.1.0 and 0.2.0 too, and no file of another program
// is.
#include <png.h>
#include <tiffio.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "io/exports/field_exports.hpp"
#include "io/parquet/created_by.hpp"
#include "io/parquet/thrift_text.hpp"
#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;
using OwnExports = testing::AcceptedNuclei;

const std::array<FieldLabel, 2> kLabels = {{{"background", "Background", {225, 225, 225}}, {"a", "A", {0, 158, 115}}}};

FieldMap two_fields() {
  const RunInfo info{"slide.svs", 1024, 512, 0.5, 1024, 512, 0.5, 1, 0, 0, 1024, 512, {}};
  return {info,
          512,
          {kLabels.begin(), kLabels.end()},
          {{0, 0, 0, 512, 512, false, 1, 13, 0.25, 32, false, 2.5, false, 1, 2, ""},
           {1, 512, 0, 512, 512, false, 0, 0, 0.1, 32, false, 0.1, false, 1, 2, ""}}};
}

/// Those that say that `file` is theirs.
std::vector<std::string> claims(const fs::path& file) {
  std::vector<std::string> names;
  const auto ask = [&](const auto& exports) {
    for (const auto& each : exports)
      if (is_own_file(file, each.output().kind) && std::ranges::find(names, each.file) == names.end())
        names.emplace_back(each.file);
  };
  ask(kNucleiExports);
  ask(kFieldExports);
  return names;
}

/// A picture of 5 x 2 pixels by libpng.
void write_png(const fs::path& file, int level, int strategy, int filters, int colour = PNG_COLOR_TYPE_RGB) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, out);
  png_set_IHDR(png, info, 5, 2, 8, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, level);
  if (strategy >= 0) png_set_compression_strategy(png, strategy);
  if (filters >= 0) png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
  png_write_info(png, info);
  const png_byte row[20] = {200, 10, 30, 4, 50, 60, 7, 80, 90, 1, 2, 3, 40, 50, 60};
  png_write_row(png, row);
  png_write_row(png, row);
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(out);
}

TEST_F(OwnExports, EachIsKnownAsItsKindAndNoOther) {
  const ResultStore store = make(testing::info());
  const std::map<std::string, std::vector<std::string>> also = {
      {"nuclei.geojson", {"nuclei.geojson", "nuclei.geojson.gz"}},
      {"nuclei.geojson.gz", {"nuclei.geojson", "nuclei.geojson.gz"}},
      {"nuclei.csv", {"nuclei.csv", "nuclei.csv.gz"}},
      {"nuclei.csv.gz", {"nuclei.csv", "nuclei.csv.gz"}}};
  const auto expect_known = [&](const auto& each) {
    const auto packed = also.find(each.file);
    EXPECT_EQ(claims(folder / "f"), packed != also.end() ? packed->second : std::vector<std::string>{each.file});
  };
  for (const auto& each : kNucleiExports) {
    if (each.reads_slide) continue;
    each.write({store, nullptr, testing::kAll}, folder / "f");
    expect_known(each);
  }
  const auto slide = open_slide("synthetic:1024x512");
  const FieldMap map = two_fields();
  for (const auto& each : kFieldExports) {
    each.write({map, *slide}, folder / "f");
    expect_known(each);
  }
}

TEST_F(OwnExports, ThoseOfOlderVersionsAreKnown) {
  const auto text = [&](const char* bytes) { std::ofstream(folder / "f", std::ios::binary) << bytes; };
  const auto knows = [&](const char* name) { return std::ranges::count(claims(folder / "f"), name) == 1; };
  text("id,centroid_x,centroid_y,x0,y0,x1,y1,pixels,nucleus_area\r\n1,2,3,4,5,6,7,8,9\r\n");
  EXPECT_TRUE(knows("nuclei.csv"));
  text(R"({"type":"FeatureCollection","features":[
{"type":"Feature","id":"0123abcd-4567-8abc-8000-000000000001","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"objectType":"detection","measurements":{}}}
]}
)");
  EXPECT_TRUE(knows("nuclei.geojson"));
  text("field,x,y,width,height,label,votes,p_value,level,confidence\r\n");
  EXPECT_TRUE(knows("fields.csv"));
  write_png(folder / "f", 3, -1, PNG_FILTER_SUB | PNG_FILTER_UP);
  EXPECT_TRUE(knows("overlay.png") && knows("map.png")) << "0.1.0";
  write_png(folder / "f", Z_DEFAULT_COMPRESSION, Z_RLE, PNG_FILTER_PAETH);
  EXPECT_TRUE(knows("overlay.png") && knows("map.png")) << "0.2.0";
}

TEST_F(OwnExports, NoFileOfAnotherProgramIs) {
  const char* texts[] = {
      "id,x,y\n1,2,3\n",
      "id,centroid_x,centroid_y\n1,2,3\n",
      "id,centroid_x,centroid_y,x0,y0,x1,y1,pixels_of_mine\n",
      "field,x,y\n",
      "",
      "{",
      "[1, 2]",
      R"({"type":"FeatureCollection","starpath":7,"features":7})",
      R"({"type":"FeatureCollection","features":[{"type":"Feature","id":"8c3cb8e5-4c5c-4b1e-8a3c-0d8c2a3f9b11","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{"objectType":"annotation","classification":{"name":"Tumor","color":[200,0,0]}}}]})",
      R"({"type":"FeatureCollection","features":[{"type":"Feature","id":"8c3cb8e5-4c5c-4b1e-8a3c-0d8c2a3f9b11","geometry":null,"properties":{"objectType":"annotation","measurements":{"fields":3,"low_confidence_fields":0}}}]})",
      R"({"features":[{"properties":{"starpath":{"run":{}}}}]})",
  };
  for (const char* text : texts) {
    std::ofstream(folder / "f", std::ios::binary) << text;
    EXPECT_EQ(claims(folder / "f"), std::vector<std::string>{}) << text;
  }
  write_png(folder / "f", Z_DEFAULT_COMPRESSION, -1, -1);
  EXPECT_EQ(claims(folder / "f"), std::vector<std::string>{}) << "libpng's settings, and Pillow's";
  write_png(folder / "f", 1, Z_RLE, PNG_FILTER_SUB);
  EXPECT_EQ(claims(folder / "f"), std::vector<std::string>{}) << "OpenCV's settings";
  write_png(folder / "f", Z_DEFAULT_COMPRESSION, Z_RLE, PNG_FILTER_PAETH, PNG_COLOR_TYPE_GRAY);
  EXPECT_EQ(claims(folder / "f"), std::vector<std::string>{}) << "gray";
  TIFF* tiff = TIFFOpen((folder / "f").c_str(), "w");
  for (const auto& [tag, value] :
       {std::pair(TIFFTAG_IMAGEWIDTH, 1), {TIFFTAG_IMAGELENGTH, 1}, {TIFFTAG_BITSPERSAMPLE, 8}})
    TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
  TIFFSetField(tiff, TIFFTAG_SOFTWARE, "starpath, not");
  unsigned char pixel = 0;
  TIFFWriteScanline(tiff, &pixel, 0);
  TIFFClose(tiff);
  EXPECT_EQ(claims(folder / "f"), std::vector<std::string>{}) << "another software's TIFF";
}

TEST_F(OwnExports, ParquetIsKnownByItsWriterWhateverLiesBefore) {
  const auto is_own = [&](const char* program, const char* note = "", std::size_t columns = 2, std::size_t cut = 0) {
    ThriftText footer;
    footer.integer(1, 2);
    footer.begin_structs(2, 1);
    footer.begin_element();
    footer.text(4, "starpath");
    footer.end_struct();
    footer.begin_integers(3, 20);
    for (int i = 0; i < 20; ++i) footer.element(i * 1000);
    footer.begin_texts(5, 1);
    footer.element(note);
    footer.text(6, program);
    footer.begin_structs(7, columns);
    for (std::size_t i = 0; i < columns; ++i) {
      footer.begin_element();
      footer.begin_struct(1);
      footer.end_struct();
      footer.end_struct();
    }
    std::string bytes = std::move(footer).finished();
    bytes.resize(bytes.size() - cut);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::ofstream(folder / "f", std::ios::binary)
        << "PAR1" << bytes << std::string(reinterpret_cast<const char*>(&size), 4) << "PAR1";
    return is_parquet_of(folder / "f", "starpath");
  };
  for (const std::size_t columns : {1, 14, 15, 300}) EXPECT_TRUE(is_own("starpath", "", columns)) << columns;
  EXPECT_TRUE(is_own("starpath", "parquet-cpp-arrow"));
  for (const char* other : {"parquet-cpp-arrow version 14", "starpath 2", "my starpath"}) EXPECT_FALSE(is_own(other));
  EXPECT_FALSE(is_own("other", "\x18\x08starpath\x19\x1c")) << "of a file that another program made of ours";
  for (std::size_t cut = 0; cut < 60; ++cut) EXPECT_FALSE(is_own("other program", "starpath", 2, cut)) << cut;
  std::ofstream(folder / "f") << "PAR1";
  EXPECT_FALSE(is_parquet_of(folder / "f", "starpath"));
}

}  // namespace
}  // namespace starpath::io
