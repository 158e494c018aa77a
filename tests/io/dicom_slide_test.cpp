// Whole-slide images of DICOM.
#include <tiffio.h>

#include <filesystem>

#include "dicom_files.hpp"
#include "io/slides/dicom_series.hpp"
#include "io/slides/slide_folder.hpp"
#include "io/slides/slides_asked.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

class DicomSlides : public ::testing::Test {
 protected:
  /// The line of the error that opening gives.
  static std::string refusal(const std::string& input) {
    try {
      open_slide(input);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "opened";
  }

  void expect_refused(const DicomOptions& options, const std::string& part) {
    write_dicom(folder_ / "refused.dcm", picture_, options);
    const std::string line = refusal(folder_ / "refused.dcm");
    EXPECT_NE(line.find(part), std::string::npos) << line;
    EXPECT_NE(line.find("refused.dcm: "), std::string::npos) << line;
    std::filesystem::remove(folder_ / "refused.dcm");
  }

  TempFolder folder_;
  Picture picture_ = pattern(50, 35);
};

TEST_F(DicomSlides, RawTilesAreThePicture) {
  for (const bool planes_apart : {false, true}) {
    DicomOptions options;
    options.planes_apart = planes_apart;
    write_dicom(folder_ / "a.dcm", picture_, options);
    const auto slide = open_slide(folder_ / "a.dcm");
    EXPECT_EQ(slide->info().format, "dicom");
    EXPECT_DOUBLE_EQ(slide->info().mpp, 0.5);
    EXPECT_EQ(read_all(*slide), picture_);
    EXPECT_EQ(read(*slide, 0, -3, 20, 70, 30), crop(picture_, -3, 20, 70, 30));
  }
}

TEST_F(DicomSlides, JpegTilesAreWhatAJpegFileShows) {
  DicomOptions options;
  options.jpeg = true;
  options.tile = 64;  // one tile, so that the JPEG file has the same pixels
  const Picture picture = pattern(64, 64);
  for (const int fragments : {1, 3}) {
    options.fragments = fragments;
    write_dicom(folder_ / "a.dcm", picture, options);
    Picture again = picture;
    write_bytes(folder_ / "a.jpg", jpeg_bytes(again.view(), options.quality));
    EXPECT_EQ(read_all(*open_slide(folder_ / "a.dcm")), read_all(*open_slide(folder_ / "a.jpg")));
  }
}

TEST_F(DicomSlides, FramesOfSeveralFragmentsAreTold) {
  DicomOptions options;
  options.jpeg = true;
  write_dicom(folder_ / "a.dcm", picture_, options);
  const Picture whole = read_all(*open_slide(folder_ / "a.dcm"));
  options.fragments = 4;
  write_dicom(folder_ / "a.dcm", picture_, options);
  EXPECT_EQ(read_all(*open_slide(folder_ / "a.dcm")), whole);
}

/// JPEG of RGB samples without a word of them, as converters copy them from Aperio's files.
std::string bare_rgb_jpeg(const Picture& tile) {
  const TempFolder folder;
  TiffOptions options;
  options.tile = tile.width;
  options.compression = COMPRESSION_JPEG;
  options.more = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_JPEGTABLESMODE, 0); };
  write_tiff(folder / "tile.tif", {rgb_page(tile)}, options);
  TIFF* tiff = TIFFOpen((folder / "tile.tif").c_str(), "r");
  std::string bytes(static_cast<std::size_t>(TIFFGetStrileByteCount(tiff, 0)), '\0');
  TIFFReadRawTile(tiff, 0, bytes.data(), static_cast<tmsize_t>(bytes.size()));
  TIFFClose(tiff);
  // libtiff calls the components R, G and B, which decoders understand. Others number them.
  const std::size_t frame = bytes.find("\xff\xc0"), scan = bytes.find("\xff\xda");
  for (std::size_t i = 0; i < 3; ++i) bytes[frame + 10 + 3 * i] = bytes[scan + 5 + 2 * i] = static_cast<char>(i + 1);
  return bytes;
}

TEST_F(DicomSlides, ColoursOfAJpegThatSaysNoneAreThoseOfTheFile) {
  DicomOptions options;
  options.jpeg = true;
  options.code = bare_rgb_jpeg;
  const Picture red(32, 32, {220, 30, 40});
  write_dicom(folder_ / "ybr.dcm", red, options);
  options.more = [](DcmDataset& data) { data.putAndInsertString(DCM_PhotometricInterpretation, "RGB"); };
  options.series = "1.2.4";
  write_dicom(folder_ / "rgb.dcm", red, options);
  const Rgb read = read_all(*open_slide(folder_ / "rgb.dcm")).at(3, 3);
  EXPECT_NEAR(read.r, 220, 3);
  EXPECT_NEAR(read.g, 30, 3);
  EXPECT_GT(std::abs(read_all(*open_slide(folder_ / "ybr.dcm")).at(3, 3).g - 30), 10) << "taken for YCbCr";
}

TEST_F(DicomSlides, MissingTilesOfSparseOnesAreGround) {
  DicomOptions options;
  options.sparse = true;
  options.left_out = [](int tile) { return tile == 0 || tile == 6; };
  write_dicom(folder_ / "a.dcm", picture_, options);
  Picture expected = picture_;
  for (const auto& [left, top] : {std::pair{0, 0}, {32, 16}})  // four tiles a row
    for (int y = top; y < std::min(top + 16, 35); ++y)
      for (int x = left; x < std::min(left + 16, 50); ++x) expected.at(x, y) = {255, 255, 255};
  EXPECT_EQ(read_all(*open_slide(folder_ / "a.dcm")), expected);
}

TEST_F(DicomSlides, AFrameWithoutBytesIsGround) {
  DicomOptions options;
  options.jpeg = true;
  options.code = [number = 0](const Picture& tile) mutable {
    Picture copy = tile;
    return number++ == 0 ? std::string() : jpeg_bytes(copy.view(), 90);
  };
  write_dicom(folder_ / "a.dcm", picture_, options);
  const auto slide = open_slide(folder_ / "a.dcm");
  EXPECT_EQ(read(*slide, 0, 0, 0, 16, 16), Picture(16, 16, {255, 255, 255}));
  EXPECT_NE(read(*slide, 0, 16, 0, 16, 16), Picture(16, 16, {255, 255, 255}));
}

TEST_F(DicomSlides, ADamagedFrameIsAGapOfItsOwnSize) {
  DicomOptions options;
  options.jpeg = true;
  options.code = [number = 0](const Picture& tile) mutable {
    Picture copy = tile;
    return number++ == 5 ? std::string("no picture") : jpeg_bytes(copy.view(), 90);
  };
  write_dicom(folder_ / "a.dcm", picture_, options);
  const auto slide = open_slide(folder_ / "a.dcm");
  Picture out(50, 35);
  const std::vector<Gap> gaps = slide->read_around_gaps(0, 0, 0, out.view());
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].x, 16);
  EXPECT_EQ(gaps[0].y, 16);
  EXPECT_EQ(gaps[0].width, 16);
}

class DicomFolders : public DicomSlides {
 protected:
  DicomFolders() {
    DicomOptions options;
    for (const auto& [name, factor] : {std::pair{"level0", 1}, {"level1", 2}, {"level2", 4}}) {
      options.instance = std::string("1.2.3.") + std::to_string(factor);
      write_dicom(folder_ / (std::string(name) + ".dcm"), pattern(400 / factor, 240 / factor), options);
    }
    for (const char* flavour : {"LABEL", "OVERVIEW"}) {
      options.flavour = flavour;
      options.instance = std::string("1.2.3.9") + (*flavour == 'L' ? "1" : "2");
      write_dicom(folder_ / (std::string(flavour) + ".dcm"), pattern(30, 60), options);
    }
  }
};

TEST_F(DicomFolders, AFolderAndEachOfItsFilesNameTheSlide) {
  const auto whole = open_slide(folder_ / "");
  ASSERT_EQ(whole->info().levels.size(), 3u);
  EXPECT_EQ(whole->info().width(), 400);
  EXPECT_EQ(whole->info().levels[2].downsample, 4);
  EXPECT_EQ(read(*whole, 2, 0, 0, 100, 60), pattern(100, 60));
  for (const char* name : {"level0.dcm", "level2.dcm", "LABEL.dcm"}) {
    const auto slide = open_slide(folder_ / name);
    EXPECT_EQ(slide->info().width(), 400) << name;
    EXPECT_EQ(slide->info().fingerprint, whole->info().fingerprint) << name;
  }
  EXPECT_TRUE(open_slide(folder_ / "level2.dcm")->warnings().empty());
  const auto by_label = open_slide(folder_ / "LABEL.dcm")->warnings();
  ASSERT_EQ(by_label.size(), 1u);
  EXPECT_NE(by_label[0].find("level0.dcm"), std::string::npos) << by_label[0];
  EXPECT_TRUE((SlidesAsked{{folder_ / ""}, ""}).is_one());
}

TEST_F(DicomFolders, NothingOfAPatientIsAmongTheProperties) {
  const auto slide = open_slide(folder_ / "");
  EXPECT_FALSE(slide->info().properties.empty());
  for (const auto& [name, value] : slide->info().properties) EXPECT_EQ(value.find("Secret"), std::string::npos) << name;
}

TEST_F(DicomFolders, SeveralSlidesInAFolderAreSeveral) {
  DicomOptions other;
  other.series = "1.2.9";
  other.instance = "1.2.9.1";
  write_dicom(folder_ / "other.dcm", pattern(90, 70), other);
  write_png(folder_ / "picture.png", pattern(9, 9));
  const FolderContents found = contents_of(folder_ / "");
  EXPECT_EQ(found.slides,
            (std::vector<std::string>{folder_ / "level0.dcm", folder_ / "other.dcm", folder_ / "picture.png"}));
  EXPECT_EQ(found.left_out, "");
  EXPECT_FALSE((SlidesAsked{{folder_ / ""}, ""}).is_one());
  EXPECT_EQ(open_slide(folder_ / "other.dcm")->info().width(), 90);
}

TEST_F(DicomFolders, APictureOfAnotherShapeIsNoLevel) {
  DicomOptions odd;
  odd.instance = "1.2.3.77";
  write_dicom(folder_ / "odd.dcm", pattern(100, 100), odd);
  const auto slide = open_slide(folder_ / "");
  EXPECT_EQ(slide->info().levels.size(), 3u);
  ASSERT_EQ(slide->warnings().size(), 1u);
  EXPECT_NE(slide->warnings()[0].find("odd.dcm: 100x100"), std::string::npos) << slide->warnings()[0];
}

TEST_F(DicomSlides, ALevelMayBeSeveralFiles) {
  DicomOptions options;
  options.concatenation = "1.2.3.100";
  std::string missing;
  for (int part = 0; part < 3; ++part) {  // twelve tiles
    options.instance = "1.2.3.1" + std::to_string(part);
    options.first = 5 * part;
    options.frames = part == 2 ? 2 : 5;
    write_dicom(folder_ / ("part" + std::to_string(part) + ".dcm"), picture_, options);
  }
  EXPECT_EQ(read_all(*open_slide(folder_ / "part1.dcm")), picture_);
  std::filesystem::remove(folder_ / "part2.dcm");
  EXPECT_NE(refusal(folder_ / "part1.dcm").find("has 10 frames, and 4 x 3 tiles"), std::string::npos);
  std::filesystem::remove(folder_ / "part0.dcm");
  EXPECT_NE(refusal(folder_ / "part1.dcm").find("does not go on"), std::string::npos);
}

TEST_F(DicomSlides, KindsThatAreNotReadAreNamed) {
  const auto with = [](const std::function<void(DcmDataset&)>& more) {
    DicomOptions options;
    options.more = more;
    return options;
  };
  expect_refused(with([](DcmDataset& data) { data.putAndInsertUint16(DCM_BitsAllocated, 16); }), "16 bits a sample");
  expect_refused(with([](DcmDataset& data) { data.putAndInsertUint32(DCM_TotalPixelMatrixFocalPlanes, 3); }),
                 "3 focal planes");
  expect_refused(with([](DcmDataset& data) { data.putAndInsertUint32(DCM_NumberOfOpticalPaths, 2); }),
                 "2 optical paths");
  expect_refused(with([](DcmDataset& data) { data.putAndInsertString(DCM_SOPClassUID, UID_CTImageStorage); }),
                 "another kind (CTImageStorage)");
  expect_refused(with([](DcmDataset& data) { data.putAndInsertString(DCM_NumberOfFrames, "11"); }), "has 11 frames");
  expect_refused(
      with([](DcmDataset& data) { data.putAndInsertString(DCM_PhotometricInterpretation, "PALETTE COLOR"); }),
      "PALETTE COLOR");
  DicomOptions label;
  label.flavour = "LABEL";
  expect_refused(label, "no picture of the tissue");
  DicomOptions overlap;
  overlap.sparse = true;
  overlap.more = [](DcmDataset& data) {
    DcmItem *group = nullptr, *position = nullptr;
    data.findAndGetSequenceItem(DCM_PerFrameFunctionalGroupsSequence, group, 1);
    group->findAndGetSequenceItem(DCM_PlanePositionSlideSequence, position);
    position->putAndInsertSint32(DCM_ColumnPositionInTotalImagePixelMatrix, 1);
  };
  expect_refused(overlap, "where another one lies");
}

/// OpenSlide 4 knows it, and shows other colours.
TEST_F(DicomSlides, Jpeg2000InColoursOfItsOwnIsRefused) {
  DicomOptions options;
  options.jpeg = true;
  options.more = [](DcmDataset& data) { data.putAndInsertString(DCM_PhotometricInterpretation, "YBR_ICT"); };
  write_dicom(folder_ / "a.dcm", picture_, options);
  std::string bytes = read_bytes(folder_ / "a.dcm");
  const std::string baseline = UID_JPEGProcess1TransferSyntax, lossy = UID_JPEG2000TransferSyntax;
  ASSERT_EQ(lossy.size(), baseline.size());
  bytes.replace(bytes.find(baseline), baseline.size(), lossy);
  write_bytes(folder_ / "a.dcm", bytes);
  EXPECT_NE(refusal(folder_ / "a.dcm").find("JPEG 2000"), std::string::npos) << refusal(folder_ / "a.dcm");
}

TEST_F(DicomSlides, AFileThatIsCutOffSaysSo) {
  DicomOptions options;
  options.jpeg = true;
  write_dicom(folder_ / "a.dcm", picture_, options);
  const std::string bytes = read_bytes(folder_ / "a.dcm");
  for (std::size_t share = 1; share < 8; ++share) {
    write_bytes(folder_ / "a.dcm", bytes.substr(0, bytes.size() * share / 8));
    EXPECT_NE(refusal(folder_ / "a.dcm").find("a.dcm: "), std::string::npos) << share;
  }
}

}  // namespace
}  // namespace starpath::io::test
