// Labels of bench/quality: images and drawings small enough to check by hand, and the rule that finds them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "base/text_file.hpp"
#include "bench/quality/annotations.hpp"
#include "bench/quality/bootstrap.hpp"
#include "bench/quality/corrections.hpp"
#include "bench/quality/labelled_images.hpp"
#include "bench/quality/scores.hpp"
#include "tests/support/npy_file.hpp"

namespace starpath::quality {
namespace {

namespace fs = std::filesystem;
using support::same;

void write_png(const fs::path& file, const std::vector<std::uint16_t>& values, int width, int bits) {
  const int height = static_cast<int>(values.size()) / width;
  std::FILE* out = std::fopen(file.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, out);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits, PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int y = 0; y < height; ++y) {
    std::vector<png_byte> row;
    for (int x = 0; x < width; ++x) {
      const std::uint16_t value = values[static_cast<std::size_t>(y * width + x)];
      if (bits == 16) row.push_back(static_cast<png_byte>(value >> 8));
      row.push_back(static_cast<png_byte>(value & 255));
    }
    png_write_row(png, row.data());
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(out);
}

void write_tiff(const fs::path& file, std::vector<std::uint32_t> values, std::uint32_t width) {
  TIFF* tiff = TIFFOpen(file.c_str(), "w");
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(values.size()) / width);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  for (std::uint32_t y = 0; y < values.size() / width; ++y) TIFFWriteScanline(tiff, &values[y * width], y, 0);
  TIFFClose(tiff);
}

std::vector<std::string> found_in(const fs::path& folder, std::string* notes = nullptr) {
  std::vector<std::string> names;
  for (const LabelledImage& image : find_labelled_images(
           folder, [](const std::string&) { return true; },
           [&](const std::string& note) {
             if (notes != nullptr) *notes += note;
           }))
    names.push_back(image.name);
  return names;
}

TEST(Labels, PngsOf8And16BitsTiffsAndNumPyFilesAreNumbers) {
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", {0, 1, 2, 200, 0, 7}, 3, 8);
  write_png(folder.path() / "b.png", {0, 1, 300, 65535}, 2, 16);
  write_tiff(folder.path() / "c.tif", {0, 70000, 5, 5}, 2);
  EXPECT_TRUE(same(LabelImage({{0, 1, 2}, {200, 0, 7}}, 0), read_label_image(folder.path() / "a.png")));
  EXPECT_TRUE(same(LabelImage({{0, 1}, {300, 65535}}, 0), read_label_image(folder.path() / "b.png")));
  EXPECT_TRUE(same(LabelImage({{0, 70000}, {5, 5}}, 0), read_label_image(folder.path() / "c.tif")));
  support::write_npy<std::int64_t>((folder.path() / "d.npy").string(), {1, 3}, {0, 2147483647, 1});
  EXPECT_TRUE(same(LabelImage({{0, 2147483647, 1}}, 0), read_label_image(folder.path() / "d.npy")));
}

TEST(Labels, NumbersThatAreNoLabelsAreRefused) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "labels.npy").string();
  support::write_npy<std::int64_t>(file, {1, 2}, {0, 2147483648});
  EXPECT_THROW(read_label_image(file), Error);
  support::write_npy<std::int32_t>(file, {1, 2}, {0, -1});
  EXPECT_THROW(read_label_image(file), Error);
  support::write_npy<float>(file, {1, 2}, {0, 1});
  EXPECT_THROW(read_label_image(file), Error);
  support::write_npy<std::int32_t>(file, {1, 2, 1}, {0, 1});
  EXPECT_TRUE(same(LabelImage({{0, 1}}, 0), read_label_image(file)));
  support::write_npy<std::int32_t>(file, {2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THROW(read_label_image(file), Error);
}

TEST(Labels, AMaskWithoutInstancesIsRefused) {
  const TemporaryFolder folder;
  write_png(folder.path() / "mask.png", {0, 255, 255, 0}, 2, 8);
  EXPECT_THROW(read_label_image(folder.path() / "mask.png"), Error);
  write_text(folder.path() / "no.png", "nothing");
  EXPECT_THROW(read_label_image(folder.path() / "no.png"), Error);
}

TEST(Labels, PolygonsTakeThePixelsWhoseCentresTheyHold) {
  LabelImage labels(5, 4, 0);
  paint_rings({{{0.6, 0}, {4, 0}, {4, 3.4}, {0.6, 3.4}}, {{2, 1}, {3, 1}, {3, 2}, {2, 2}}}, 3, labels);
  EXPECT_TRUE(same(LabelImage({{0, 3, 3, 3, 0}, {0, 3, 0, 3, 0}, {0, 3, 3, 3, 0}, {0, 0, 0, 0, 0}}, 0), labels));
  LabelImage outside(2, 2, 0);
  paint_rings({{{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}}, 1, outside);
  EXPECT_TRUE(same(LabelImage({{1, 1}, {1, 1}}, 0), outside));
}

TEST(Labels, CocoRunsGoDownColumns) {
  LabelImage labels(3, 2, 0);
  paint_runs({1, 2, 2, 1}, 4, labels);
  EXPECT_TRUE(same(LabelImage({{0, 4, 0}, {4, 0, 4}}, 0), labels));
  EXPECT_THROW(paint_runs({7}, 1, labels), Error);
  EXPECT_EQ(runs_of_text("121"), (std::vector<std::int64_t>{1, 2, 1}));
  // The fourth number is a difference to the second: 40 - 2 needs two characters, 1 - 2 is negative.
  EXPECT_EQ(runs_of_text("121V1"), (std::vector<std::int64_t>{1, 2, 1, 40}));
  EXPECT_EQ(runs_of_text("121O"), (std::vector<std::int64_t>{1, 2, 1, 1}));
  EXPECT_THROW(runs_of_text("V"), Error);
}

TEST(Labels, AreFoundInFoldersOfImagesAndLabels) {
  const TemporaryFolder folder;
  for (const char* name : {"images", "labels"}) fs::create_directory(folder.path() / name);
  for (const char* name : {"a.png", "b.png", "c.png"}) write_text(folder.path() / "images" / name, "");
  write_png(folder.path() / "labels" / "b.png", {0, 1, 0, 0}, 2, 8);
  write_text(folder.path() / "labels" / "a.geojson",
             R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon",
                "coordinates":[[[1,0],[2,0],[2,2],[1,2],[1,0]]]}}]})");
  std::string notes;
  EXPECT_EQ(found_in(folder.path(), &notes), (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(notes.find("c.png"), std::string::npos);
  const auto images = find_labelled_images(
      folder.path(), [](const std::string& name) { return name == "a"; }, [](const std::string&) {});
  ASSERT_EQ(images.size(), 1u);
  EXPECT_TRUE(same(LabelImage({{0, 1}, {0, 1}}, 0), read_labels(images[0], 2, 2)));
}

TEST(Labels, VagueRegionsAreMasksBesideTheLabels) {
  const TemporaryFolder folder;
  for (const char* name : {"images", "labels", "vague"}) fs::create_directory(folder.path() / name);
  for (const char* name : {"a.png", "b.png"}) {
    write_text(folder.path() / "images" / name, "");
    write_png(folder.path() / "labels" / name, {0, 1, 0, 0}, 2, 8);
  }
  write_png(folder.path() / "vague" / "b.png", {0, 255, 0, 255}, 2, 8);
  const auto images = find_labelled_images(
      folder.path(), [](const std::string&) { return true; }, [](const std::string&) {});
  ASSERT_EQ(images.size(), 2u);
  EXPECT_TRUE(images[0].vague.empty());
  EXPECT_TRUE(same(LabelImage({{0, 255}, {0, 255}}, 0), read_vague(images[1], 2, 2)));
  EXPECT_THROW(read_vague(images[1], 2, 3), Error);
}

TEST(Labels, ObjectsWithMoreThanAQuarterInVagueRegionsAreLeftOut) {
  const LabelImage vague({{0, 1, 0, 0, 0}, {0, 1, 0, 1, 0}}, 0);
  LabelImage labels({{1, 1, 0, 2, 2}, {0, 0, 0, 2, 2}}, 0);  // 1 has a half there, 2 has a quarter
  leave_out_vague(vague, labels);
  EXPECT_TRUE(same(LabelImage({{0, 0, 0, 2, 2}, {0, 0, 0, 0, 2}}, 0), labels));
}

TEST(Labels, RimsReachToBothSidesOfABorderAndNotIntoTheImagesEdge) {
  const LabelImage truth({{1, 1, 1, 2, 2}, {1, 1, 1, 2, 2}, {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}}, 0);
  EXPECT_TRUE(
      same(LabelImage({{0, 0, 1, 1, 0}, {0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}, {0, 0, 1, 1, 0}}, 0), rims_of(truth, 1)));
  EXPECT_TRUE(same(LabelImage(5, 4, 0), rims_of(truth, 0)));
  LabelImage found({{7, 7, 7, 7, 0}, {7, 7, 7, 7, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 9}}, 0);
  leave_out(rims_of(truth, 1), found);
  EXPECT_TRUE(same(LabelImage({{7, 7, 0, 0, 0}, {7, 7, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 9}}, 0), found));
}

TEST(Labels, AreFoundInOneCocoFile) {
  const TemporaryFolder folder;
  for (const char* name : {"a.png", "b.png"}) write_text(folder.path() / name, "");
  write_text(folder.path() / "coco.json",
             R"({"images":[{"id":3,"file_name":"x/a.png","width":2,"height":2}],
                 "annotations":[{"image_id":3,"segmentation":[[0,0,1,0,1,2,0,2]]},
                                {"image_id":3,"segmentation":{"size":[2,2],"counts":[3,1]}},
                                {"image_id":4,"segmentation":[[0,0,2,0,2,2,0,2]]}]})");
  EXPECT_EQ(found_in(folder.path()), (std::vector<std::string>{"a"}));
  const auto images = find_labelled_images(
      folder.path(), [](const std::string&) { return true; }, [](const std::string&) {});
  EXPECT_TRUE(same(LabelImage({{1, 0}, {1, 2}}, 0), read_labels(images[0], 2, 2)));
  EXPECT_THROW(read_labels(images[0], 3, 2), Error) << "the run length says another size";
}

TEST(Labels, AFolderWithoutAnyIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(found_in(folder.path()), Error);
  EXPECT_THROW(found_in(folder.path() / "none"), Error);
}

TEST(Scores, SayMeanMedianAndWorst) {
  Scores scores{"set", {}};
  for (const double pq : {0.2, 0.9, 0.4})
    scores.images.push_back({fmt::format("i{}", pq), {pq, pq, pq, pq, 5, 4, 3}, {}});
  EXPECT_EQ(worst_images(scores, 2), (std::vector<std::size_t>{0, 2}));
  const std::string table = table_of(scores);
  for (const char* text : {"mean ", "15      12", "0.500", "median", "0.400", "worst", "0.200  i0.2"})
    EXPECT_NE(table.find(text), std::string::npos) << text << " not in\n" << table;
  EXPECT_EQ(table.find("difference"), std::string::npos);
  for (Score& score : scores.images) score.baseline = {score.ours.pq - .1, 0, 0, 0, 5, 4, 3};
  EXPECT_NE(table_of(scores).find("difference   mean                            0.100"), std::string::npos)
      << table_of(scores);
  EXPECT_EQ(csv_of(scores).substr(0, csv_of(scores).find('\r')),
            R"("set","i0.2",starpath,5,4,3,0.200000,0.200000,0.200000,0.200000)");
}

// The mean of n values of one spread s lies within 1.96 s / sqrt(n), the normal distribution's interval.
TEST(Scores, IntervalOfAMeanIsThatOfTheNormalDistribution) {
  std::vector<double> values(400);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0 : 1;
  const Interval interval = interval_of_mean(values);
  EXPECT_NEAR(interval.low, .5 - 1.96 * .5 / 20, .006);
  EXPECT_NEAR(interval.high, .5 + 1.96 * .5 / 20, .006);
  const Interval one = interval_of_mean(std::vector<double>{.25});
  EXPECT_EQ(one.low, .25);
  EXPECT_EQ(one.high, .25);
}

}  // namespace
}  // namespace starpath::quality
