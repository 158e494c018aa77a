// DICOM slides from the command to the results: those of a TIFF with the same pixels.
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmimage/diregist.h>
#include <dcmtk/dcmjpeg/djencode.h>
#include <dcmtk/dcmjpeg/djrploss.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/study/study_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/io/dicom_files.hpp"
#include "tests/io/scanner_files.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using io::test::DicomOptions;
using io::test::Picture;
using test::expect_says;
using test::read_file;
using test::shell;

/// How DCMTK codes frames as JPEG.
struct JpegColours {
  const char* name;
  E_CompressionColorSpaceConversion space;
  E_SubSampling sampling;
  const char* said;  // the file's Photometric Interpretation
  Uint32 fragment_kb = 0;
};

/// Codes the frames of a raw file again, as JPEG baseline.
void code_as_jpeg(const std::string& path, const JpegColours& colours) {
  DJEncoderRegistration::registerCodecs(colours.space, EUC_never, OFFalse, 0, 0, colours.fragment_kb, OFTrue,
                                        colours.sampling);
  DcmFileFormat file;
  ASSERT_TRUE(file.loadFile(path.c_str()).good());
  const DJ_RPLossy quality(95);
  const OFCondition coded = file.getDataset()->chooseRepresentation(EXS_JPEGProcess1, &quality);
  DJEncoderRegistration::cleanup();
  ASSERT_TRUE(coded.good()) << coded.text();
  OFString said;
  file.getDataset()->findAndGetOFString(DCM_PhotometricInterpretation, said);
  EXPECT_EQ(std::string(said.c_str()), colours.said);
  ASSERT_TRUE(file.saveFile(path.c_str(), EXS_JPEGProcess1).good());
}

/// Over all samples.
double mean_difference(const Picture& a, const Picture& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (std::uint8_t Rgb::*channel : {&Rgb::r, &Rgb::g, &Rgb::b})
      sum += std::abs(a.pixels[i].*channel - b.pixels[i].*channel);
  return sum / (3.0 * static_cast<double>(a.pixels.size()));
}

class DicomSegment : public testing::Test {
 protected:
  DicomSegment() { fs::create_directories(folder_ / "slides"); }

  /// An instance for each level, reduced by 1, 2 and 4; `name` and its number are the file's name.
  void write_dicom_levels(const std::string& name, const Picture& picture, const std::string& series) const {
    for (int level = 0, factor = 1; level < 3; ++level, factor *= 2) {
      DicomOptions options;
      options.tile = 256;
      options.series = series;
      options.instance = series + "." + std::to_string(level + 1);
      options.millimetres = 0.0005 * factor;
      write_dicom(folder_ / "slides/" + name + std::to_string(level) + ".dcm", io::test::every(factor, picture),
                  options);
    }
  }
  void write_tiff_levels(const std::string& name, const Picture& picture) const {
    std::vector<io::test::TiffPage> pages;
    const std::vector<Picture> levels = {picture, io::test::every(2, picture), io::test::every(4, picture)};
    for (const Picture& level : levels) pages.push_back(io::test::rgb_page(level));
    io::test::write_tiff(folder_ / name, pages, {.tile = 256, .more = [page = 0](TIFF* tiff) mutable {
                                                   TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                                                   for (const auto tag : {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION})
                                                     TIFFSetField(tiff, static_cast<std::uint32_t>(tag),
                                                                  20000.0 / (1 << page));  // 0.5 um
                                                   ++page;
                                                 }});
  }

  /// The folder of the results.
  std::string segment(const std::string& slide, const std::string& name, int code = 0,
                      const std::vector<std::string>& words = {}, const std::string& more = "") const {
    const std::string out = folder_ / name;
    expect_says(shell("starpath segment " + folder_ / slide + " --tile 512 --quiet --export csv,overlay " + more +
                      " --out " + out),
                code, words);
    return out;
  }
  static void expect_same(const std::string& results, const std::string& expected) {
    EXPECT_GT(test::outlines(expected).size(), 30u);
    EXPECT_EQ(test::outlines(results), test::outlines(expected)) << results;
    for (const std::string name : {"nuclei.csv", "overlay.png"})
      EXPECT_TRUE(read_file(results + "/" + name) == read_file(expected + "/" + name)) << results << " " << name;
  }

  const test::TemporaryFolder folder_;
  const Picture tissue_ = io::test::read_all(*io::open_slide("synthetic:768x640,seed=4,mpp=0.5"));
};

TEST_F(DicomSegment, GivesWhatATiffOfTheSamePixelsGives) {
  write_dicom_levels("a", tissue_, "1.2.3");
  DicomOptions label;
  label.flavour = "LABEL";
  label.instance = "1.2.3.9";
  write_dicom(folder_ / "slides/label.dcm", io::test::pattern(40, 30), label);
  write_tiff_levels("a.tif", tissue_);
  const std::string of_tiff = segment("a.tif", "tiff");
  expect_same(segment("slides", "folder"), of_tiff);
  expect_same(segment("slides/a2.dcm", "instance"), of_tiff);
  expect_says(shell("starpath info " + folder_ / "slides"), 0, {"768 x 640 px", "0.5", "PixelSpacing"});
}

TEST_F(DicomSegment, OfAFolderIsAStudyOfItsSlides) {
  const Picture other = io::test::read_all(*io::open_slide("synthetic:512x768,seed=9,mpp=0.5"));
  write_dicom_levels("a", tissue_, "1.2.3");
  write_dicom_levels("b", other, "1.2.4");
  write_tiff_levels("slides/c.tif", tissue_);
  write_tiff_levels("other.tif", other);
  const std::string study = segment("slides", "study");
  const auto rows = io::StudyStore::open(study + "/study.sqlite").rows();
  ASSERT_EQ(rows.size(), 3u);
  const std::string of_a = segment("slides/c.tif", "alone"), of_b = segment("other.tif", "other");
  expect_same(study + "/a0", of_a);
  expect_same(study + "/b0", of_b);
  expect_same(study + "/c", of_a);
}

TEST_F(DicomSegment, ReadsTheColoursThatScannersWrite) {
  int number = 0;
  for (const JpegColours& colours : {JpegColours{"ybr422", ECC_lossyYCbCr, ESS_422, "YBR_FULL_422"},
                                     {"ybr444", ECC_lossyYCbCr, ESS_444, "YBR_FULL_422"},
                                     {"ybr411", ECC_lossyYCbCr, ESS_411, "YBR_FULL_422"},
                                     {"rgb", ECC_lossyRGB, ESS_444, "RGB"},
                                     {"fragments", ECC_lossyYCbCr, ESS_422, "YBR_FULL_422", 4}}) {
    SCOPED_TRACE(colours.name);
    const std::string path = std::string("slides/") + colours.name + ".dcm";
    DicomOptions options;
    options.tile = 256;
    options.series = "1.2." + std::to_string(++number);
    write_dicom(folder_ / path, tissue_, options);
    ASSERT_NO_FATAL_FAILURE(code_as_jpeg(folder_ / path, colours));
    const Picture shown = io::test::read_all(*io::open_slide(folder_ / path));
    EXPECT_LT(mean_difference(shown, tissue_), 6) << "colours taken for others differ by tens";
    write_tiff_levels(std::string(colours.name) + ".tif", shown);
    const std::string of_dicom = segment(path, std::string(colours.name) + "_dicom");
    const std::string of_tiff = segment(std::string(colours.name) + ".tif", std::string(colours.name) + "_tiff");
    EXPECT_EQ(test::outlines(of_dicom), test::outlines(of_tiff));
    EXPECT_EQ(read_file(of_dicom + "/nuclei.csv"), read_file(of_tiff + "/nuclei.csv"));
  }
}

TEST_F(DicomSegment, LosesADamagedFrameAlone) {
  DicomOptions options;
  options.tile = 256;
  options.jpeg = true;
  options.code = [number = 0](const Picture& tile) mutable {
    Picture copy = tile;
    return number++ == 0 ? std::string("no picture") : io::jpeg_bytes(copy.view(), 95);
  };
  write_dicom(folder_ / "slides/damaged.dcm", tissue_, options);
  options.code = {};
  options.quality = 95;
  options.series = "1.2.4";
  write_dicom(folder_ / "whole.dcm", tissue_, options);
  const std::string whole = segment("whole.dcm", "whole", 0, {}, "--preset paper");
  const std::string damaged =
      segment("slides/damaged.dcm", "damaged", 6, {"cannot read level 0, region x=0 y=0 256x256"}, "--preset paper");
  // What lies beside the gap may have grown to there; what is a nucleus' width away from it has not.
  const auto beside_gap = [](const auto& nucleus) { return nucleus.first.first < 300 && nucleus.first.second < 300; };
  auto expected = test::outlines(whole), found = test::outlines(damaged);
  const std::size_t all = expected.size();
  std::erase_if(expected, beside_gap);
  for (const auto& [first, contour] : found) EXPECT_FALSE(first.first < 256 && first.second < 256);
  std::erase_if(found, beside_gap);
  EXPECT_EQ(found, expected);
  EXPECT_LT(found.size(), all);
  EXPECT_GT(found.size(), all / 2);
}

}  // namespace
}  // namespace starpath
