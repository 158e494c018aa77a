// What a folder holds, and what of it is left out.
#include "io/slides/slide_folder.hpp"

#include <filesystem>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

std::vector<std::string> names_in(const TempFolder& folder) {
  std::vector<std::string> names;
  for (const std::string& path : contents_of(folder / "").slides)
    names.push_back(std::filesystem::path(path).filename().string());
  return names;
}

TEST(SlideFolder, HoldsWhatReadsWhateverItIsCalled) {
  const TempFolder folder;
  write_tiff(folder / "a.tif", {rgb_page(pattern(20, 20))}, {});
  for (const char* name : {"b.qptiff", "c.btf", "d", "e.tf8"}) std::filesystem::copy(folder / "a.tif", folder / name);
  write_png(folder / "f.picture", pattern(9, 9));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a.tif", "b.qptiff", "c.btf", "d", "e.tf8", "f.picture"}));
  EXPECT_EQ(contents_of(folder / "").left_out, "");
}

TEST(SlideFolder, SaysWhatItLeavesOutAndWhy) {
  const TempFolder folder;
  write_png(folder / "a.png", pattern(9, 9));
  for (const char* name : {"b.czi", "c.VSI", "list.csv", "notes.txt", "regions.geojson", "x.xml", "d.dcm"})
    write_bytes(folder / name, "text");
  write_bytes(folder / ".hidden.csv", "text");
  write_bytes(folder / "cut.btf", read_bytes(folder / "a.png").substr(0, 30));
  std::filesystem::create_directory(folder / "old");
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"a.png"});
  EXPECT_EQ(contents_of(folder / "").left_out,
            "folders (old), formats that are not read (b.czi, c.VSI, d.dcm), images "
            "that cannot be read (cut.btf), no image (list.csv, notes.txt, regions.geojson and 1 more)");
}

TEST(SlideFolder, PartsOfSlidesAreNeither) {
  const TempFolder folder;
  for (const char* name : {"a.mrxs", "b.vms", "b.jpg", "b(1,0).jpg", "b.opt", "c.jpg"}) write_bytes(folder / name, "x");
  std::filesystem::create_directory(folder / "a");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a.mrxs", "b.vms", "c.jpg"}));
  EXPECT_EQ(contents_of(folder / "").left_out, "");
}

TEST(SlideFolder, SaysWhyItHoldsNoTiles) {
  const TempFolder folder;
  write_png(folder / "r0_c0.png", pattern(9, 9));
  EXPECT_EQ(why_no_tiles(folder / ""), "");
  write_png(folder / "thumbnail.png", pattern(9, 9));
  EXPECT_EQ(why_no_tiles(folder / ""), "the name of 'thumbnail.png' does not say where it lies");
}

TEST(SlideFolder, FormatsThatAreNotReadHaveNames) {
  const TempFolder folder;
  write_bytes(folder / "a.czi", "ZISRAWFILE and more");
  write_bytes(folder / "b.isyntax", "<DataObject ObjectType=\"DPUfsImport\">");
  write_bytes(folder / "c.kfb", "KFB and more");
  EXPECT_NE(open_error(folder / "a.czi").find("is a Zeiss CZI file, which is not read here"), std::string::npos);
  EXPECT_NE(open_error(folder / "b.isyntax").find("is a Philips iSyntax file"), std::string::npos);
  EXPECT_NE(open_error(folder / "c.kfb").find("is a KFBIO slide"), std::string::npos);
}

}  // namespace
}  // namespace starpath::io::test
