// OME-TIFF: which image the first page is, its resolution, and what is refused.
#include <string>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

const std::string kOnePlane = R"(SizeZ="1" SizeC="3" SizeT="1")";

std::string pixels(const std::string& attributes, int width = 40, int height = 24) {
  return R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type="uint8" SizeX=")" +
         std::to_string(width) + R"(" SizeY=")" + std::to_string(height) + "\" " + attributes +
         R"(><Channel ID="Channel:0:0" SamplesPerPixel="3"/><TiffData/></Pixels></Image>)";
}

std::string ome(const std::string& images) {
  return R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">)" +
         images + "</OME>";
}

std::string sizes(const std::string& x, const std::string& y, const std::string& unit = "") {
  const auto one = [&](const std::string& name, const std::string& size) {
    return " PhysicalSize" + name + "=\"" + size + '"' +
           (unit.empty() ? "" : " PhysicalSize" + name + "Unit=\"" + unit + '"');
  };
  return kOnePlane + (x.empty() ? "" : one("X", x)) + (y.empty() ? "" : one("Y", y));
}

class OmeTiff : public ::testing::Test {
 protected:
  /// A file with this description, whose tags say 0.5 um/px.
  const std::string& file(const std::string& description, int pages = 1) const {
    const std::vector<TiffPage> all(static_cast<std::size_t>(pages), rgb_page(picture_));
    write_tiff(path_, all, {.tile = 16, .more = [&](TIFF* tiff) {
                              TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
                              TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                              TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 20000.0);
                              TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 20000.0);
                            }});
    return path_;
  }
  double mpp_of(const std::string& description) const { return open_slide(file(description))->info().mpp; }
  void expect_refused(const std::string& description, const std::string& why) const {
    const std::string message = open_error(file(description));
    EXPECT_NE(message.find("a.ome.tif: OME-"), std::string::npos) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  }

  const TempFolder folder_;
  const std::string path_ = folder_ / "a.ome.tif";
  const Picture picture_ = pattern(40, 24);
};

TEST_F(OmeTiff, ItsXmlComesBeforeTheTags) {
  EXPECT_NEAR(mpp_of(ome(pixels(sizes("0.25", "0.25")))), 0.25, 1e-12);
  EXPECT_NEAR(mpp_of(ome(pixels(sizes("0.25", "")))), 0.25, 1e-12);
  EXPECT_NEAR(mpp_of(ome(pixels(sizes("", "2.5e-1")))), 0.25, 1e-12);
  EXPECT_NEAR(mpp_of(ome(pixels(sizes("0.25", "0.255")))), 0.2525, 1e-12);
  EXPECT_EQ(mpp_of(ome(pixels(sizes("0.25", "0.5")))), 0) << "pixels are no squares, whatever the tags say";
  EXPECT_EQ(mpp_of(ome(pixels(sizes("352.8", "352.8")))), 0) << "72 dpi";
}

TEST_F(OmeTiff, TheTagsCountWhereTheXmlStatesNoLength) {
  for (const std::string& image : {pixels(kOnePlane), pixels(sizes("1", "1", "pixel")), pixels(sizes("0", "-1")),
                                   pixels(sizes("0,25", "0,25")), pixels(sizes("1", "1", "reference frame"))})
    EXPECT_NEAR(mpp_of(ome(image)), 0.5, 1e-6) << image;
}

TEST_F(OmeTiff, KnowsUnitsOfLength) {
  for (const auto& [size, unit] : {std::pair{"0.25", "\u00b5m"},
                                   {"0.25", "\u03bcm"},
                                   {"0.25", "&#181;m"},
                                   {"0.25", "um"},
                                   {"250", "nm"},
                                   {"2500", "\u00c5"},
                                   {"0.00025", "mm"},
                                   {"0.000025", "cm"},
                                   {"2.5E-7", "m"},
                                   {"0.00000984251968503937", "in"},
                                   {"0.00000984251968503937", "inch"}})
    EXPECT_NEAR(mpp_of(ome(pixels(sizes(size, size, unit)))), 0.25, 1e-9) << unit;
}

TEST_F(OmeTiff, IsReadWhateverItsEncodingAndPrefix) {
  const std::string text = ome(pixels(sizes("250", "250", "nm")));
  EXPECT_NEAR(mpp_of("\xef\xbb\xbf" + text), 0.25, 1e-12);
  EXPECT_NEAR(mpp_of(ome(pixels(sizes("0.25", "0.25", "\xb5m")))), 0.25, 1e-12) << "Latin-1";
  std::string other = text;
  EXPECT_NEAR(mpp_of(other.replace(other.find("UTF-8"), 5, "utf-16")), 0.25, 1e-12);
  EXPECT_NEAR(mpp_of(R"(<o:OME xmlns:o="x"><o:Image><o:Pixels SizeX="40" SizeY="24" PhysicalSizeX="0.25"/></o:Image>)"
                     "</o:OME>"),
              0.25, 1e-12);
}

TEST_F(OmeTiff, AnotherDescriptionIsNone) {
  for (const char* text : {"SOME scanner", "<SOME>", "<a><OME/></a>", "OME", "<OM", ""})
    EXPECT_NEAR(mpp_of(text), 0.5, 1e-6) << text;
}

TEST_F(OmeTiff, OnePlaneOfRgbIsRead) {
  for (const std::string channels : {R"(SizeC="3")", R"(SizeC="1")"}) {
    const auto slide = open_slide(file(ome(pixels(R"(SizeZ="1" SizeT="1" )" + channels))));
    EXPECT_EQ(slide->info().format, "tiff");
    EXPECT_EQ(read_all(*slide), picture_);
  }
  file(ome(pixels(kOnePlane, 9, 9) + pixels(sizes("0.25", "0.25"))));
  EXPECT_NEAR(open_slide(path_)->info().mpp, 0.25, 1e-12) << "a label is an image of another size";
}

TEST_F(OmeTiff, SubdirectoriesAreLevels) {
  const Picture half = pattern(20, 12, 2), quarter = pattern(10, 6, 3);
  bool first = true;
  write_tiff(path_, {rgb_page(picture_), rgb_page(half), rgb_page(quarter)},
             {.tile = 16, .more = [&](TIFF* tiff) {
                if (!first) return;
                first = false;
                const std::uint64_t places[2] = {0, 0};
                TIFFSetField(tiff, TIFFTAG_SUBIFD, 2, places);
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, ome(pixels(sizes("0.25", "0.25"))).c_str());
              }});
  const auto slide = open_slide(path_);
  ASSERT_EQ(slide->info().levels.size(), 3u);
  EXPECT_EQ(read_all(*slide, 1), half);
  EXPECT_EQ(read_all(*slide, 2), quarter);
  EXPECT_NEAR(slide->info().mpp, 0.25, 1e-12);
}

TEST_F(OmeTiff, SeveralPlanesAreRefused) {
  expect_refused(ome(pixels(R"(SizeZ="5" SizeC="3" SizeT="1")")),
                 "OME-TIFF has 5 focal planes (SizeZ), and one plane of gray or RGB is read; save the wanted image");
  expect_refused(ome(pixels(R"(SizeZ="2" SizeC="12" SizeT="7")")),
                 "has 4 channels in pages of their own (SizeC), 2 focal planes (SizeZ), 7 times (SizeT), and one");
  expect_refused(ome(pixels(kOnePlane) + pixels(kOnePlane)), "describes 2 images of 40x24 pixels, and one is read");
  write_tiff(path_, {{4, 2, std::string(8, 'g')}, {4, 2, std::string(8, 'h')}},
             {.samples = 1, .photometric = PHOTOMETRIC_MINISBLACK, .more = [&](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                             ome(pixels(R"(SizeZ="1" SizeC="2" SizeT="1")", 4, 2)).c_str());
              }});
  EXPECT_NE(open_error(path_).find("has 2 channels in pages of their own"), std::string::npos);
}

TEST_F(OmeTiff, ADescriptionOfSomethingElseIsRefused) {
  expect_refused(ome(pixels(kOnePlane, 80, 48)),
                 "describes no image of 40x24 pixels, as the largest page has (1 of other");
  expect_refused(ome(R"(<BinaryOnly MetadataFile="a.companion.ome"/>)"), "describes no image of 40x24 pixels");
}

TEST_F(OmeTiff, DamageIsNamed) {
  const std::string whole = ome(pixels(kOnePlane));
  expect_refused(whole.substr(0, whole.size() - 3), "is damaged in line 1: ");
  for (const std::string size : {"", "0", "-3", "3.5", "99999999999999999999", "x"})
    expect_refused(ome(pixels(R"(SizeZ="1" SizeT="1" SizeC=")" + size + '"')),
                   "gives no whole number above 0 as SizeC");
}

}  // namespace
}  // namespace starpath::io::test
