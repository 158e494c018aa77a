// NBIA's results file and what is exported from it.
#include "io/results/field_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/exports/field_exports.hpp"
#include "io/results/result_parts.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class FieldStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string text_of(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_ = fs::temp_directory_path() / ("starpath_field_store_" + std::to_string(getpid()));
  std::string file_ = folder_ / "results.sqlite";
  RunKey key_{"abc", "1.0", R"({"pipeline":"nbia"})"};
  RunInfo info_{"slide.svs", 2400, 1600, 0.25, 1200, 800, 0.5, 2, 0, 0, 1200, 800, {}};
  const std::array<FieldLabel, 3> labels_ = {{{"background", "Background", {225, 225, 225}},
                                              {"stroma_rich", "Stroma-rich", {0, 158, 115}},
                                              {"stroma_poor", "Stroma-poor", {213, 94, 0}}}};
  // 3 x 2 fields of 512 px; the last one was not analysed, the middle one below failed.
  std::vector<FieldRecord> fields_ = {
      {0, 0, 0, 512, 512, false, 1, 13, 0.25, 32, false, 2.5, false, 1, 2, ""},
      {1, 512, 0, 512, 512, false, 1, 9, 0.3, 512, true, 9.75, false, 1, 2, ""},
      {2, 1024, 0, 176, 512, false, 0, 0, kNan, 32, false, kNan, false, 1, 2, ""},
      {3, 0, 512, 512, 288, false, 2, 12, 0.01, 128, false, 3, false, 1, 2, ""},
      {4, 512, 512, 512, 288, true, {}, 0, kNan, 0, false, kNan, false, 1, 0, "no luck"},
  };
};

TEST_F(FieldStoreTest, KeepsWhatWasCommittedInOneFile) {
  {
    FieldStore store(ResultStore::create(file_, key_, info_, kNbiaTables), labels_);
    for (const std::size_t i : {3u, 0u, 4u, 2u, 1u}) store.commit(fields_[i]);
    EXPECT_THROW(ResultStore::resume(file_, key_, kNbiaTables), Error);  // in use
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  FieldStore store(ResultStore::resume(file_, key_, kNbiaTables), labels_);
  const auto read = store.fields();
  ASSERT_EQ(read.size(), fields_.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].index, fields_[i].index);
    EXPECT_EQ(read[i].width, fields_[i].width);
    EXPECT_EQ(read[i].failed, fields_[i].failed);
    EXPECT_EQ(read[i].error, fields_[i].error);
    if (read[i].failed) continue;
    EXPECT_EQ(read[i].label, fields_[i].label);
    EXPECT_EQ(read[i].votes, fields_[i].votes);
    EXPECT_EQ(read[i].level, fields_[i].level);
    EXPECT_EQ(read[i].out_of_range, fields_[i].out_of_range);
    EXPECT_TRUE(read[i].distance == fields_[i].distance ||
                (std::isnan(read[i].distance) && std::isnan(fields_[i].distance)));
    EXPECT_EQ(read[i].low_confidence, fields_[i].low_confidence);
    EXPECT_TRUE(read[i].p_value == fields_[i].p_value ||
                (std::isnan(read[i].p_value) && std::isnan(fields_[i].p_value)));
  }
  FieldRecord again = fields_[3];
  again.index = 4;
  store.commit(again);
  EXPECT_FALSE(store.fields()[4].failed);
}

TEST_F(FieldStoreTest, AnotherRunIsRefused) {
  ResultStore::create(file_, key_, info_, kNbiaTables);
  RunKey other = key_;
  other.parameters = R"({"pipeline":"nbia","model":"x"})";
  try {
    ResultStore::resume(file_, other, kNbiaTables);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::mismatch);
    EXPECT_NE(std::string(error.what()).find("model"), std::string::npos) << error.what();
  }
}

TEST_F(FieldStoreTest, CsvHasOneRowAField) {
  export_field_csv({info_, 512, labels_, fields_}, folder_ / "fields.csv");
  EXPECT_EQ(text_of("fields.csv"),
            "field,x,y,width,height,label,votes,p_value,level,confidence,distance,out_of_range\r\n"
            "0,0,0,1024,1024,stroma_rich,13,0.25,32,accepted,2.5,0\r\n"
            "1,1024,0,1024,1024,stroma_rich,9,0.3,512,low,9.75,0\r\n"
            "2,2048,0,352,1024,background,,,32,accepted,,0\r\n"
            "3,0,1024,1024,576,stroma_poor,12,0.01,128,accepted,3,0\r\n"
            "4,1024,1024,1024,576,failed,,,,,,\r\n");
}

TEST_F(FieldStoreTest, RegionsJoinNeighboursAndEndAtTheBorder) {
  export_field_regions({info_, 512, labels_, fields_}, folder_ / "regions.geojson");
  const auto json = nlohmann::json::parse(text_of("regions.geojson"));
  ASSERT_EQ(json["features"].size(), 3u);
  const auto& rich = json["features"][0];
  EXPECT_EQ(rich["properties"]["classification"]["name"], "Stroma-rich");
  EXPECT_EQ(rich["properties"]["measurements"]["fields"], 2);
  EXPECT_EQ(rich["properties"]["measurements"]["low_confidence_fields"], 1);
  EXPECT_EQ(rich["geometry"]["coordinates"][0],
            nlohmann::json::parse("[[0.0,0.0],[2048.0,0.0],[2048.0,1024.0],[0.0,1024.0],[0.0,0.0]]"));
  EXPECT_EQ(json["features"][1]["geometry"]["coordinates"][0][1], nlohmann::json::parse("[2400.0,0.0]"));
}

TEST_F(FieldStoreTest, RegionsEndWithTheSlide) {
  info_.slide_width = 2399;  // its last working pixel is a part of one
  export_field_regions({info_, 512, labels_, fields_}, folder_ / "regions.geojson");
  const auto json = nlohmann::json::parse(text_of("regions.geojson"));
  EXPECT_EQ(json["features"][1]["geometry"]["coordinates"][0][1], nlohmann::json::parse("[2399.0,0.0]"));
}

TEST_F(FieldStoreTest, FieldsOutOfRangeAreRegionsOfTheirOwn) {
  fields_[1].out_of_range = true;
  export_field_regions({info_, 512, labels_, fields_}, folder_ / "regions.geojson");
  const auto json = nlohmann::json::parse(text_of("regions.geojson"));
  ASSERT_EQ(json["features"].size(), 4u);
  const auto& strange = json["features"][1]["properties"];
  EXPECT_EQ(strange["classification"]["name"], "Out of range");
  EXPECT_EQ(strange["classification"]["color"], nlohmann::json::parse("[204,121,167]"));
  EXPECT_EQ(strange["measurements"]["fields"], 1);
}

TEST_F(FieldStoreTest, TheMapHasTheColours) {
  export_field_map({info_, 512, labels_, fields_}, folder_ / "map.png");
  const auto map = open_slide(folder_ / "map.png");
  ASSERT_EQ(map->info().width(), 48);
  ASSERT_EQ(map->info().height(), 32);
  const auto pixel = [&](int x, int y) {
    Rgb p{};
    map->read(0, x, y, {&p, 1, 1, 1});
    return p;
  };
  EXPECT_EQ(pixel(0, 0), (Rgb{0, 158, 115}));
  EXPECT_EQ(pixel(31, 15), (Rgb{127, 206, 185}));
  EXPECT_EQ(pixel(32, 0), (Rgb{225, 225, 225}));
  EXPECT_EQ(pixel(15, 16), (Rgb{213, 94, 0}));
  EXPECT_EQ(pixel(16, 31), (Rgb{0, 0, 0}));
  EXPECT_EQ(pixel(47, 31), (Rgb{255, 255, 255}));
}

TEST_F(FieldStoreTest, TablesAndPicturesMarkFieldsOutOfRange) {
  fields_[3].out_of_range = true;
  {
    FieldStore store(ResultStore::create(file_, key_, info_, kNbiaTables), labels_);
    for (const FieldRecord& field : fields_) store.commit(field);
  }
  const auto read = FieldStore(ResultStore::resume(file_, key_, kNbiaTables), labels_).fields();
  EXPECT_TRUE(read[3].out_of_range);
  EXPECT_FALSE(read[0].out_of_range);
  export_field_csv({info_, 512, labels_, read}, folder_ / "fields.csv");
  EXPECT_NE(text_of("fields.csv").find("stroma_poor,12,0.01,128,accepted,3,1\r\n"), std::string::npos);
  export_field_map({info_, 512, labels_, read}, folder_ / "map.png");
  Rgb p{};
  open_slide(folder_ / "map.png")->read(0, 15, 16, {&p, 1, 1, 1});
  EXPECT_EQ(p, (Rgb{204, 121, 167}));
}

TEST_F(FieldStoreTest, TheOverlayHatchesFieldsOutOfRange) {
  const auto slide = open_slide("synthetic:2400x1600,seed=1");
  const auto black_pixels = [&](bool out_of_range) {
    fields_[3].out_of_range = out_of_range;
    const fs::path file = folder_ / (out_of_range ? "hatched.png" : "overlay.png");  // what was read is no output
    export_field_overlay({info_, 512, labels_, fields_}, *slide, file, 600);
    const auto overlay = open_slide(file.string());
    std::vector<Rgb> field(256 * 128);  // the fourth, at a quarter of its size, is 256 x 144
    overlay->read(0, 0, 260, {field.data(), 256, 128, 256});
    return std::ranges::count(field, Rgb{0, 0, 0});
  };
  EXPECT_EQ(black_pixels(false), 0);
  EXPECT_NEAR(static_cast<double>(black_pixels(true)), 256 * 128 / 6.0, 256);
}

TEST_F(FieldStoreTest, TheOverlayIsLargerWhereTheSlideCannotBeReducedSoFar) {
  const auto slide = open_slide("synthetic:2400x1600,seed=1");
  const fs::path file = folder_ / "overlay.png";
  export_field_overlay({info_, 512, labels_, fields_}, *slide, file, 30);
  const auto overlay = open_slide(file.string());
  EXPECT_EQ(overlay->info().width(), 38);  // a 64th
  EXPECT_EQ(overlay->info().height(), 25);
}

TEST_F(FieldStoreTest, PartsOfRanksAreTakenOver) {
  const fs::path part = part_file(file_, 1);
  const auto failed = [&](std::size_t i) {
    FieldRecord record = fields_[i];
    record.failed = true;
    record.error = "unreadable";
    return record;
  };
  {
    FieldStore theirs(ResultStore::create(part, key_, info_, kNbiaTables), labels_);
    for (const FieldRecord& field : {fields_[1], failed(0), fields_[2]}) theirs.commit(field);
    FieldStore ours(ResultStore::create(file_, key_, info_, kNbiaTables), labels_);
    for (const FieldRecord& field : {fields_[0], failed(2), fields_[3]}) ours.commit(field);
  }
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(merge_part(file_, part, key_, kNbiaTables), 3);
    const std::vector<FieldRecord> merged = FieldStore(ResultStore::resume(file_, key_, kNbiaTables), labels_).fields();
    ASSERT_EQ(merged.size(), 4U);
    for (std::size_t i = 0; i < merged.size(); ++i) {
      EXPECT_EQ(merged[i].index, fields_[i].index);
      EXPECT_FALSE(merged[i].failed);
      EXPECT_EQ(merged[i].label, fields_[i].label);
      EXPECT_EQ(merged[i].votes, fields_[i].votes);
      EXPECT_EQ(merged[i].level, fields_[i].level);
    }
  }
  RunKey other = key_;
  other.parameters = R"({"pipeline":"nbia","level":7})";
  EXPECT_THROW(merge_part(file_, part, other, kNbiaTables), Error);
}

}  // namespace
}  // namespace starpath::io
