// Resolutions that pictures state in words or tags.
#include "io/slides/stated_scale.hpp"

#include <gtest/gtest.h>

#include "io/slides/length_units.hpp"
#include "io/slides/resolution.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

SlideInfo stated(const PixelsAUnit& tags, std::string_view description, std::int64_t width = 1400,
                 std::int64_t height = 1400) {
  SlideInfo info;
  info.path = "a.tif";
  info.format = "tiff";
  take_statements(read_statements(tags, description, width, height), info);
  return info;
}

double mpp_of(std::string_view description, std::int64_t width = 1400, std::int64_t height = 1400) {
  return stated({}, description, width, height).mpp;
}

TEST(LengthUnits, AreKnownInEverySpelling) {
  for (const char* micrometre :
       {"um", "micron", "microns", "Micron", "micrometer", "micrometres", "\u00b5m", "\u03bcm", "\xb5m",
        "\xc3\x82\xc2\xb5m", "\\u00B5m", "\\u03bcm", " um\r", "UM", "?m", "&#181;m", "&micro;m", "\xef\xbf\xbdm"})
    EXPECT_EQ(micrometres_of(micrometre), 1) << micrometre;
  EXPECT_EQ(micrometres_of("nm"), 1e-3);
  EXPECT_EQ(micrometres_of("millimetre"), 1e3);
  EXPECT_EQ(micrometres_of("mm"), 1e3);
  EXPECT_EQ(micrometres_of("cm"), 1e4);
  EXPECT_EQ(micrometres_of("inches"), 25400);
  EXPECT_EQ(micrometres_of("inch"), 25400);
  EXPECT_EQ(micrometres_of("\u00c5"), 1e-4);
  for (const char* none : {"", "pixel", "Mm", "furlong", "?", "\xb5", "u m", "seconds", "s"})
    EXPECT_FALSE(micrometres_of(none)) << none;
}

TEST(StatedScale, ImageJsUnitIsThatOfTheTags) {
  const auto mpp = [](const std::string& unit, double pixels, const PixelsAUnit& tags = {}) {
    PixelsAUnit scaled = tags;
    scaled.x = scaled.y = pixels;
    return stated(scaled, "ImageJ=1.54f\nunit=" + unit + "\nmin=0.0\n").mpp;
  };
  for (const char* unit : {"micron", "um", "\\u00B5m", "\xc2\xb5m", "\xb5m"})
    EXPECT_NEAR(mpp(unit, 1 / 0.2495), 0.2495, 1e-9) << unit;
  EXPECT_NEAR(mpp("mm", 1e3 / 0.2495), 0.2495, 1e-9);
  EXPECT_NEAR(mpp("nm", 1 / 249.5), 0.2495, 1e-9);
  EXPECT_NEAR(mpp("inch", 25400 / 0.2495), 0.2495, 1e-9);
  EXPECT_NEAR(mpp("cm", 1e4 / 0.2495, pixels_a_centimetre(1, 1)), 0.2495, 1e-9);
  EXPECT_NEAR(mpp("micron", 1e4 / 0.2495, pixels_a_centimetre(1, 1)), 0.2495, 1e-9) << "the tags are in centimetres";
  EXPECT_NEAR(mpp("pixel", 1e4 / 0.2495, pixels_a_centimetre(1, 1)), 0.2495, 1e-9);
  EXPECT_EQ(mpp("furlong", 4), 0);
}

TEST(StatedScale, MicrometresAPixelStandInDescriptions) {
  EXPECT_NEAR(mpp_of("Motic V1.0.0 1400x1400 [0,0 1400x1400] [512x512] JPEG/RGB Q = 75|AppMag = 40|MPP = 0.249500"),
              0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("Aperio Image Library v12.0.15\r\n46920x33014 [1000,2000 1400x1400] (256x256) -> 1400x1400|AppMag "
                     "= 40|StripeWidth = 992|MPP = 0.2495|Left = 26.2"),
              0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("MPP=0,2495|x"), 0.2495, 1e-9) << "a decimal comma";
  EXPECT_NEAR(mpp_of("mpp: 2.495e-1"), 0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("MPP = 249.5 nm"), 0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("mpp_x=0.24;mpp_y=0.25"), 0.245, 1e-9);
  EXPECT_NEAR(mpp_of(R"({"shape": [1400, 1400, 3], "mpp": 0.2495})"), 0.2495, 1e-9);
  EXPECT_NEAR(mpp_of(R"({"PhysicalSizeX": 249.5, "PhysicalSizeXUnit": "nm"})"), 0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("<property>\n<name>openslide.mpp-x</name>\n  <value type=\"VipsRefString\">0.2495</value>"),
              0.2495, 1e-9);
  EXPECT_NEAR(mpp_of("<PixelSizeMicrons>0.2495</PixelSizeMicrons>"), 0.2495, 1e-9);
  for (const char* nothing : {"", "a picture", "comppression=0.3", "MPPs 0.25", "MPP 0.25", "MPP", "MPP ="})
    EXPECT_EQ(mpp_of(nothing), 0) << nothing;
}

TEST(StatedScale, LibvipsCountsPixelsAMillimetre) {
  const auto described = [](const std::string& xres, const std::string& yres) {
    const auto property = [](const std::string& name, const std::string& value) {
      return "<property><name>" + name + "</name><value type=\"gdouble\">" + value + "</value></property>";
    };
    return "<?xml version=\"1.0\"?><image xmlns=\"http://www.vips.ecs.soton.ac.uk//dzsave\" "
           "version=\"8.14.1\"><properties>" +
           property("xres", xres) + property("yres", yres) + "</properties></image>";
  };
  EXPECT_NEAR(mpp_of(described("4008.016032", "4008.016032")), 0.2495, 1e-6);
  EXPECT_EQ(mpp_of(described("1", "1")), 0) << "what libvips writes where it knows none";
  EXPECT_EQ(mpp_of("<property><name>xres</name><value>4008</value></property>"), 0) << "of another program";
  const SlideInfo oblong = stated({}, described("4000", "2000"));
  ASSERT_TRUE(oblong.oblong);
  EXPECT_NEAR(oblong.oblong->height, 0.5, 1e-9);
}

TEST(StatedScale, OfAPictureThatWasReducedIsThatOfItsPixels) {
  const std::string aperio =
      "Aperio v1\r\n46920x33014 [1000,2000 1400x1400] (256x256) -> 700x700|AppMag = 40|MPP = 0.25";
  EXPECT_NEAR(mpp_of(aperio, 700, 700), 0.5, 1e-9);
  EXPECT_EQ(stated({}, aperio, 700, 700).power, 20);
  EXPECT_NEAR(mpp_of("46000x32914 (256x256) -> 11500x8228|MPP = 0.25", 11500, 8228), 1, 1e-9);
  EXPECT_NEAR(mpp_of("46000x32914 [0,0 46000x32914]|MPP = 0.25", 1400, 1400), 0.25, 1e-9) << "of another shape: a part";
}

TEST(StatedScale, ThePowerOfTheObjectiveIsConcludedFrom) {
  const auto power_of = [](const char* text) { return stated({}, text).power; };
  EXPECT_EQ(power_of("Motic|AppMag = 40"), 40);
  EXPECT_EQ(power_of("AppMag=20X|"), 20);
  EXPECT_EQ(power_of("<ObjectivePower>63</ObjectivePower>"), 63);
  EXPECT_EQ(power_of("AppMag = 0"), 0);
  EXPECT_EQ(power_of("AppMag = 4000"), 0);
  const Resolution assumed = stated_resolution(stated({}, "Motic|AppMag = 40"), 0);
  EXPECT_EQ(assumed.source, MppSource::objective);
  EXPECT_EQ(assumed.mpp, 0.25);
}

TEST(StatedScale, TheDescriptionComesBeforeTheTagsAndADifferenceIsSaid) {
  const SlideInfo both = stated(pixels_a_centimetre(20000, 20000), "MPP = 0.25");
  EXPECT_EQ(both.mpp, 0.25);
  EXPECT_NE(both.mpp_doubt.find("20000 pixels a centimetre in its tags is 0.5 um/px"), std::string::npos)
      << both.mpp_doubt;
  EXPECT_NE(resolution_warning(stated_resolution(both, 0)).find("0.25 um/px"), std::string::npos);
  const SlideInfo printed = stated(pixels_an_inch(300, 300), "MPP = 0.25");
  EXPECT_EQ(printed.mpp, 0.25);
  EXPECT_EQ(printed.mpp_doubt, "") << "of a printer";
}

TEST(StatedScale, WhatWasNotTakenIsNamed) {
  const auto expect_doubt = [](const SlideInfo& info, const char* words) {
    EXPECT_EQ(info.mpp, 0);
    const std::string warning = resolution_warning(stated_resolution(info, 0));
    EXPECT_NE(warning.find(words), std::string::npos) << warning;
    EXPECT_EQ(warning.find("does not say"), std::string::npos) << warning;
    EXPECT_EQ(warning.find('\n'), std::string::npos) << warning;
  };
  expect_doubt(stated(pixels_an_inch(72, 72), ""),
               "72 pixels an inch in its tags is 352.8 um/px, which no microscope has");
  expect_doubt(stated({4, 4}, ""), "4 pixels of a length without a unit");
  expect_doubt(stated({4, 4}, "ImageJ=1.54f\nunit=furlong\n"), "ImageJ's unit 'furlong' is no known length");
  expect_doubt(stated({}, "MPP = 250|x"), "'MPP = 250' in its description is 250 um/px");
  expect_doubt(stated({}, "MPP = unknown|x"), "its description says 'MPP = unknown'");
  expect_doubt(stated({}, "AppMag = none\nx"), "its description says 'AppMag = none'");
  expect_doubt(stated({}, "Pixel size: 6.45 \xb5m"), "'Pixel size: 6.45 ?m', which may be of the camera");
  EXPECT_EQ(stated({1, 1}, "a picture").mpp_doubt, "") << "one pixel of nothing is what programs write for nothing";
  EXPECT_NE(resolution_warning(stated_resolution(stated({1, 1}, ""), 0)).find("does not say"), std::string::npos);
}

TEST(StatedScale, PixelsThatAreNoSquaresAreRefusedWithBothNumbers) {
  const SlideInfo info = stated(pixels_a_centimetre(40000, 20000), "");
  EXPECT_EQ(info.mpp, 0);
  const std::string message = error_of(ErrorKind::input, [&] { stated_resolution(info, 0); });
  EXPECT_NE(message.find("a.tif: its pixels are no squares: 0.25 x 0.5 um"), std::string::npos) << message;
  EXPECT_NE(message.find("--mpp"), std::string::npos) << message;
  EXPECT_EQ(stated_resolution(info, 0.25).mpp, 0.25) << "the user knows better";
  error_of(ErrorKind::input, [&] { stated_resolution(stated({}, "mpp_x=0.25|mpp_y=0.5"), 0); });
  error_of(ErrorKind::input, [&] { stated_resolution(stated({4, 2}, "ImageJ=1.54f\nunit=micron\n"), 0); });
  EXPECT_NEAR(stated(pixels_a_centimetre(20000, 20400), "").mpp, (0.5 + 0.5 / 1.02) / 2, 1e-9) << "within 5 %";
}

struct Stated {
  const char* description;
  std::uint16_t unit = RESUNIT_INCH;
  double pixels = 0;  // a unit
  int tile = 0;
};

std::unique_ptr<Slide> open_stated(const TempFolder& folder, const Stated& stated) {
  write_tiff(folder / "a.tif", {rgb_page(pattern(64, 64))}, {.tile = stated.tile, .more = [&](TIFF* tiff) {
                                                               TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                                                                            stated.description);
                                                               if (!(stated.pixels > 0)) return;
                                                               TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, stated.unit);
                                                               TIFFSetField(tiff, TIFFTAG_XRESOLUTION, stated.pixels);
                                                               TIFFSetField(tiff, TIFFTAG_YRESOLUTION, stated.pixels);
                                                             }});
  return open_slide(folder / "a.tif");
}

TEST(StatedScale, OfTiffFilesIsThatOfTheProgramThatWroteThem) {
  const TempFolder folder;
  for (const Stated& stated :
       {Stated{"ImageJ=1.54f\nunit=micron\n", RESUNIT_NONE, 4}, Stated{"ImageJ=1.54f\nunit=\xb5m\n", RESUNIT_NONE, 4},
        Stated{"ImageJ=1.54f\nunit=mm\n", RESUNIT_NONE, 4000},
        Stated{"Aperio v12\r\n4692x3301 [10,20 64x64] (256x256) -> 64x64|AppMag = 40|MPP = 0.25"},
        Stated{"Motic V1.0.0 64x64 [0,0 64x64] [32x32] JPEG/RGB Q = 75|AppMag = 40|MPP = 0.250000", RESUNIT_INCH, 0,
               32},
        Stated{"Motic V1.0.0 64x64|MPP = 0.25", RESUNIT_INCH, 72, 32}}) {
    const auto slide = open_stated(folder, stated);
    EXPECT_NEAR(stated_resolution(slide->info(), 0).mpp, 0.25, 1e-7) << stated.description;
    EXPECT_EQ(stated_resolution(slide->info(), 0).source, MppSource::file) << stated.description;
    EXPECT_EQ(slide->info().mpp_doubt, "") << stated.description;
  }
  const Resolution assumed =
      stated_resolution(open_stated(folder, {"Motic V1|AppMag = 20", RESUNIT_INCH, 0, 32})->info(), 0);
  EXPECT_EQ(assumed.mpp, 0.5);
  EXPECT_EQ(assumed.source, MppSource::objective);
}

TEST(StatedScale, ReadsAnything) {
  std::string text = "ImageJ=\nunit=";
  for (int i = 0; i < 256; ++i) text += static_cast<char>(i);
  text += "mpp=<mpp=\"mpp[:=e9mpp=1e-999|MPP=99999999999999999999999999999999999999999999999999|mpp=nan AppMag=inf";
  EXPECT_EQ(stated({4, 4}, text).mpp, 0);
  EXPECT_EQ(stated({4, 4}, std::string(100'000, 'm') + std::string(100'000, '=')).mpp, 0);
}

}  // namespace
}  // namespace starpath::io::test
