// Which page of a TIFF is the slide, which are its levels, and which are neither.
#include "io/slides/tiff_pages.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

/// What a page says of itself.
struct Saying {
  std::uint32_t kind = 0;
  const char* description = nullptr;
  const char* name = nullptr;
};

/// Pages in tiles of 16 pixels; `says`: of the page of that number.
std::string write_pages(const std::string& path, const std::vector<Picture>& pictures,
                        std::map<int, Saying> says = {}) {
  std::vector<TiffPage> pages;
  for (const Picture& picture : pictures) pages.push_back(rgb_page(picture));
  int page = 0;
  write_tiff(path, pages, {.tile = 16, .compression = COMPRESSION_LZW, .more = [&](TIFF* tiff) {
                             const Saying& saying = says[page++];
                             if (saying.kind != 0) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, saying.kind);
                             if (saying.description) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, saying.description);
                             if (saying.name) TIFFSetField(tiff, TIFFTAG_PAGENAME, saying.name);
                           }});
  return path;
}

std::vector<std::pair<std::int64_t, double>> levels_of(const Slide& slide) {
  std::vector<std::pair<std::int64_t, double>> all;
  for (const SlideLevel& level : slide.info().levels) all.emplace_back(level.width, level.downsample);
  return all;
}

using Levels = std::vector<std::pair<std::int64_t, double>>;

TEST(TiffPages, AThumbnailInTheFirstDirectoryIsNotTheSlide) {
  const TempFolder folder;
  const Picture thumbnail = pattern(32, 24, 1), slide = pattern(128, 96, 2);
  const auto opened = open_slide(write_pages(folder / "a.tif", {thumbnail, slide}, {{0, {FILETYPE_REDUCEDIMAGE}}}));
  EXPECT_EQ(levels_of(*opened), (Levels{{128, 1}, {32, 4}}));
  EXPECT_EQ(read_all(*opened, 0), slide);
  EXPECT_EQ(read_all(*opened, 1), thumbnail);
}

TEST(TiffPages, AMacroOfAnotherShapeIsPassedOverAndNamed) {
  const TempFolder folder;
  const Picture macro = pattern(100, 40, 1), slide = pattern(128, 96, 2);
  const auto opened = open_slide(write_pages(folder / "a.tif", {macro, slide}));
  EXPECT_EQ(read_all(*opened, 0), slide);
  ASSERT_EQ(opened->warnings().size(), 1u);
  EXPECT_NE(opened->warnings()[0].find("128x96 pixels are taken for the slide"), std::string::npos);
  EXPECT_NE(opened->warnings()[0].find("page 1 (100x40) is not read"), std::string::npos);
}

TEST(TiffPages, LevelsMayComeInAnyOrder) {
  const TempFolder folder;
  const Picture whole = pattern(250, 131, 1), half = pattern(125, 65, 2), quarter = pattern(63, 33, 3);
  for (const auto& pictures : {std::vector{quarter, half, whole}, {half, whole, quarter}, {whole, quarter, half}}) {
    const auto opened = open_slide(write_pages(folder / "a.tif", pictures));
    EXPECT_EQ(levels_of(*opened), (Levels{{250, 1}, {125, 2}, {63, 4}}));
    EXPECT_EQ(read_all(*opened, 0), whole);
    EXPECT_EQ(read_all(*opened, 1), half);
    EXPECT_EQ(read_all(*opened, 2), quarter);
  }
}

// Cameras write a thumbnail, and the image as its sub-directory (TIFF/EP).
TEST(TiffPages, TheSlideMayBeASubDirectoryOfItsThumbnail) {
  const TempFolder folder;
  const Picture thumbnail = pattern(32, 24, 1), slide = pattern(128, 96, 2);
  int page = 0;
  write_tiff(folder / "a.tif", {rgb_page(thumbnail), rgb_page(slide)}, {.tile = 16, .more = [&](TIFF* tiff) {
                                                                          std::uint64_t place = 0;
                                                                          if (page++ == 0)
                                                                            TIFFSetField(tiff, TIFFTAG_SUBIFD, 1,
                                                                                         &place);
                                                                        }});
  const auto opened = open_slide(folder / "a.tif");
  EXPECT_EQ(read_all(*opened, 0), slide);
  EXPECT_EQ(read_all(*opened, 1), thumbnail);
}

TEST(TiffPages, PagesThatAreCalledOrFlaggedOtherwiseAreNoLevels) {
  const TempFolder folder;
  const Picture slide = pattern(128, 128, 1), beside = pattern(64, 64, 2);
  const std::vector<Saying> sayings = {
      {0, "label 64x64"},
      {1, "Macro"},
      {0, nullptr, "thumbnail image"},
      {9},
      {FILETYPE_MASK},
      {0x10001},
      {0,
       "<?xml version=\"1.0\"?><PerkinElmer-QPI-ImageDescription><ImageType>Label</ImageType>"
       "</PerkinElmer-QPI-ImageDescription>"}};
  for (const Saying& saying : sayings) {
    const auto opened = open_slide(write_pages(folder / "a.tif", {beside, slide}, {{0, saying}}));
    EXPECT_EQ(levels_of(*opened), (Levels{{128, 1}})) << saying.kind << (saying.description ? saying.description : "");
    EXPECT_EQ(read_all(*opened, 0), slide);
    EXPECT_TRUE(opened->warnings().empty());
  }
}

TEST(TiffPages, ImagesThatOmeXmlCallsOtherwiseAreNeitherSlideNorLevel) {
  const TempFolder folder;
  const Picture slide = pattern(128, 128, 1), label = pattern(64, 64, 2), macro = pattern(200, 160, 3);
  const char* xml = R"(<OME><Image Name="a.svs"><Pixels SizeX="128" SizeY="128" SizeC="3"/></Image>
    <Image Name="label image"><Pixels SizeX="64" SizeY="64" SizeC="3"/></Image>
    <Image Name="macro image"><Pixels SizeX="200" SizeY="160" SizeC="3"/></Image></OME>)";
  const auto opened = open_slide(write_pages(folder / "a.tif", {slide, label, macro}, {{0, {0, xml}}}));
  EXPECT_EQ(levels_of(*opened), (Levels{{128, 1}}));
  EXPECT_EQ(read_all(*opened), slide);
}

TEST(TiffPages, AMacroThatIsLargerThanTheSlideIsNotIt) {
  const TempFolder folder;
  const Picture macro = pattern(200, 150, 1), slide = pattern(128, 96, 2);
  EXPECT_EQ(read_all(*open_slide(write_pages(folder / "a.tif", {macro, slide}, {{0, {0, "macro 200x150"}}}))), slide);
  const std::string error = open_error(write_pages(folder / "b.tif", {macro, slide}, {{0, {FILETYPE_REDUCEDIMAGE}}}));
  EXPECT_NE(error.find("page 1 (200x150) is the largest, and says that it is a reduced image; page 2 (128x96)"),
            std::string::npos)
      << error;
}

TEST(TiffPages, ALevelIsTheSlideInHalvesOfHalves) {
  EXPECT_TRUE(is_reduced(125, 65, 250, 131, 2));
  EXPECT_TRUE(is_reduced(127, 67, 250, 131, 2));
  EXPECT_FALSE(is_reduced(128, 68, 250, 131, 2));
  EXPECT_TRUE(is_reduced(16, 9, 250, 131, 16));
  EXPECT_FALSE(is_reduced(18, 9, 250, 131, 16)) << "of few pixels, two are much";
  const TempFolder folder;
  const auto opened = open_slide(write_pages(folder / "a.tif", {pattern(120, 90, 1), pattern(40, 30, 2)}));
  EXPECT_EQ(levels_of(*opened), (Levels{{120, 1}})) << "a picture of a third of the sides";
  EXPECT_EQ(opened->warnings().size(), 1u);
}

TEST(TiffPages, ANameIsNoSentenceAndNoProperty) {
  for (const char* name : {"Label", "label image", "macro 387x463", "Aperio v1\r\nmacro 12x34 |x", "\"thumbnail\"",
                           "Overview", "<x><ImageType> Thumbnail </ImageType></x>"})
    EXPECT_TRUE(is_called_beside(name)) << name;
  for (const char* text :
       {"", "Overview of the tumour", "Label = 12", "labelled with DAB", "Aperio v1\r\n12x34 (256x256)|Label = x",
        "<OME><Image Name=\"label image\"/></OME>", "<x><ImageType>FullResolution</ImageType></x>", "thumbs up"})
    EXPECT_FALSE(is_called_beside(text)) << text;
}

TEST(TiffPages, AnImageOfAnotherKindIsNoLevel) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  write_pages(path, {pattern(128, 96, 1)});
  TIFF* tiff = TIFFOpen(path.c_str(), "a");
  for (const auto& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, 64},
                                   {TIFFTAG_IMAGELENGTH, 48},
                                   {TIFFTAG_BITSPERSAMPLE, 8},
                                   {TIFFTAG_SAMPLESPERPIXEL, 1},
                                   {TIFFTAG_ROWSPERSTRIP, 48},
                                   {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK}})
    TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
  std::string gray(64 * 48, '\x40');
  ASSERT_GT(TIFFWriteEncodedStrip(tiff, 0, gray.data(), static_cast<tmsize_t>(gray.size())), 0);
  TIFFClose(tiff);
  EXPECT_EQ(levels_of(*open_slide(path)), (Levels{{128, 1}}));
}

TEST(TiffPages, WhatTheLargestPageLacksIsSaidOfIt) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  write_pages(path, {pattern(32, 24, 1)});
  TIFF* tiff = TIFFOpen(path.c_str(), "a");
  for (const auto& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, 64},
                                   {TIFFTAG_IMAGELENGTH, 48},
                                   {TIFFTAG_BITSPERSAMPLE, 8},
                                   {TIFFTAG_SAMPLESPERPIXEL, 6},
                                   {TIFFTAG_ROWSPERSTRIP, 48},
                                   {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
                                   {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK}})
    TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
  std::string pixels(64 * 48 * 6, '\x40');
  ASSERT_GT(TIFFWriteEncodedStrip(tiff, 0, pixels.data(), static_cast<tmsize_t>(pixels.size())), 0);
  TIFFClose(tiff);
  EXPECT_NE(open_error(path).find("TIFF page 2 (64x48) has 6 channels"), std::string::npos) << open_error(path);
}

}  // namespace
}  // namespace starpath::io::test
