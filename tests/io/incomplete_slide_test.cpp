// Previews that stand for a slide whose pixels lie elsewhere.
#include <turbojpeg.h>

#include <filesystem>
#include <string>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

std::string jpeg_bytes_of(const Picture& picture) {
  tjhandle encoder = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, &picture.pixels[0].r, picture.width, 0, picture.height, TJPF_RGB, &bytes, &size,
                        TJSAMP_444, 90, 0),
            0);
  std::string all(reinterpret_cast<char*>(bytes), size);
  tjFree(bytes);
  tjDestroy(encoder);
  return all;
}

void expect_error(const std::string& path, const std::string& part) {
  const std::string error = open_error(path);
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(IncompleteSlide, AMiraxSlideNeedsItsFolder) {
  const TempFolder folder;
  for (const char* name : {"P123.mrxs", "P123.MRXS"}) {
    write_bytes(folder / name, jpeg_bytes_of(pattern(40, 30)));
    expect_error(folder / name, "is a MIRAX slide, and needs the folder P123/ with Slidedat.ini");
  }
  std::filesystem::create_directory(folder / "P123");
  expect_error(folder / "P123.mrxs", "needs the folder P123/ with Slidedat.ini");
}

TEST(IncompleteSlide, AFolderThatBelongsToAnotherNameIsNamed) {
  const TempFolder folder;
  write_bytes(folder / "P999.mrxs", jpeg_bytes_of(pattern(40, 30)));
  std::filesystem::create_directory(folder / "P123");
  write_bytes(folder / "P123/Slidedat.ini", "[GENERAL]\n");
  expect_error(folder / "P999.mrxs", "needs the folder P999/ with Slidedat.ini");
  expect_error(folder / "P999.mrxs", "P123/ lies there and belongs to P123.mrxs");
}

TEST(IncompleteSlide, OtherVendorsNamesAreNotReadAsPlainImages) {
  const TempFolder folder;
  const auto tiff_named = [&](const char* name) {
    write_tiff(folder / name, {rgb_page(pattern(48, 32))}, {.tile = 16});
    return folder / name;
  };
  expect_error(tiff_named("Image_01.vsi"), "needs the folder _Image_01_/ with its pixels");
  for (const char* name : {"a.ndpi", "a.scn", "a.bif"}) expect_error(tiff_named(name), "has the ending of a");
  write_bytes(folder / "a.vms", "[Virtual Microscope Specimen]\nNoLayers=1\n");
  expect_error(folder / "a.vms", "needs the JPEG files and the .opt file that a.vms names");
  // Programs of other vendors write plain TIFF under Aperio's name.
  EXPECT_EQ(read_all(*open_slide(tiff_named("a.svs"))), pattern(48, 32));
}

}  // namespace
}  // namespace starpath::io::test
