// Fields from annotated slides: which regions cover them, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/annotated_fields.hpp"

namespace starpath {
namespace {

std::string rectangle(int x0, int y0, int x1, int y1) {
  const auto at = [](int x, int y) { return "[" + std::to_string(x) + "," + std::to_string(y) + "]"; };
  return "[" + at(x0, y0) + "," + at(x1, y0) + "," + at(x1, y1) + "," + at(x0, y1) + "," + at(x0, y0) + "]";
}

std::string feature(const std::string& type, const std::string& coordinates, const std::string& name) {
  return R"({"type":"Feature","geometry":{"type":")" + type + R"(","coordinates":)" + coordinates +
         R"(},"properties":{"classification":{"name":")" + name + R"("}}})";
}

class AnnotatedFields : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  /// "x,y:label:annotation" of every field, in order.
  std::vector<std::string> fields(const std::vector<std::string>& features, double coverage = 0.9) {
    std::ofstream out(file_);
    out << R"({"type":"FeatureCollection","features":[)";
    for (std::size_t i = 0; i < features.size(); ++i) out << (i == 0 ? "" : ",") << features[i];
    out << "]}";
    out.close();
    const auto slide = io::open_slide(slide_);
    const io::WorkingSlide grid(*slide, 0.5, 0);
    std::vector<Rgb> whole(static_cast<std::size_t>(grid.width() * grid.height()));
    const auto width = static_cast<int>(grid.width()), height = static_cast<int>(grid.height());
    const View<Rgb> pixels{whole.data(), width, height, width};
    grid.read(0, 0, pixels);
    std::vector<std::string> found;
    lines_ =
        visit_annotated_fields({{{slide_, file_}}, {{"Stroma", NbiaLabel::stroma_rich}}, coverage, 64, 0.5, 0},
                               [&](const LabelledField& field) {
                                 for (int y = 0; y < height; y += 64)
                                   for (int x = 0; x < width; x += 64) {
                                     bool same = true;
                                     for (int j = 0; j < 64 && same; ++j)
                                       for (int i = 0; i < 64 && same; ++i)
                                         same = field.pixels.at(i, j) == pixels.at(x + i, y + j);
                                     if (same)
                                       found.push_back(std::to_string(x / 64) + "," + std::to_string(y / 64) + ":" +
                                                       std::string(label_name(field.label)) + ":" + field.origin.part);
                                   }
                                 EXPECT_EQ(field.origin.image, slide_);
                               });
    return found;
  }
  std::string refused(const std::vector<std::string>& features) {
    try {
      fields(features);
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return "";
  }

  const std::string slide_ = "synthetic:256x192,density=4";  // 4 x 3 fields of 64 px
  std::string file_ =
      std::filesystem::temp_directory_path() / ("starpath_annotated_" + std::to_string(getpid()) + ".geojson");
  std::vector<std::string> lines_;
};

using Strings = std::vector<std::string>;

TEST_F(AnnotatedFields, AreThoseThatRegionsCover) {
  const std::string rich = feature("Polygon", "[" + rectangle(-9, -9, 130, 64) + "]", "Stroma"),
                    poor = feature("Polygon", "[" + rectangle(128, 60, 256, 192) + "]", "Stroma-poor"),
                    other = feature("Polygon", "[" + rectangle(0, 0, 256, 192) + "]", "Fat");
  EXPECT_EQ(fields({other, rich, poor}), (Strings{"0,0:stroma_rich:1", "1,0:stroma_rich:1", "2,1:stroma_poor:2",
                                                  "3,1:stroma_poor:2", "2,2:stroma_poor:2", "3,2:stroma_poor:2"}));
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_NE(lines_[0].find("2 stroma_rich, 4 stroma_poor, 0 background; 2 covered too little"), std::string::npos)
      << lines_[0];
  EXPECT_NE(lines_[1].find("1 of Fat"), std::string::npos) << lines_[1];
}

TEST_F(AnnotatedFields, HolesAndPartsCount) {
  const std::string whole = rectangle(0, 0, 256, 192), hole = rectangle(64, 64, 192, 128);
  EXPECT_EQ(
      fields({feature("Polygon", "[" + whole + "," + hole + "]", "Stroma"),
              feature("MultiPolygon", "[[" + rectangle(64, 64, 100, 128) + "],[" + rectangle(100, 64, 128, 128) + "]]",
                      "stroma poor")}),
      (Strings{"0,0:stroma_rich:0", "1,0:stroma_rich:0", "2,0:stroma_rich:0", "3,0:stroma_rich:0", "0,1:stroma_rich:0",
               "1,1:stroma_poor:1", "3,1:stroma_rich:0", "0,2:stroma_rich:0", "1,2:stroma_rich:0", "2,2:stroma_rich:0",
               "3,2:stroma_rich:0"}));
}

TEST_F(AnnotatedFields, AreNotThoseOfTwoLabelsOrHalfCovered) {
  const std::string rich = feature("Polygon", "[" + rectangle(0, 0, 64, 64) + "]", "Stroma"),
                    some = feature("Polygon", "[" + rectangle(0, 0, 64, 20) + "]", "stroma_poor"),
                    most = feature("Polygon", "[" + rectangle(64, 0, 128, 50) + "]", "Stroma");
  EXPECT_EQ(fields({rich, some, most}), Strings{});
  EXPECT_EQ(fields({rich, most}, 0.75), (Strings{"0,0:stroma_rich:0", "1,0:stroma_rich:1"}));
  EXPECT_EQ(fields({rich, feature("Polygon", "[" + rectangle(0, 0, 64, 64) + "]", "stroma_poor")}), Strings{});
}

TEST_F(AnnotatedFields, RegionsOfAnotherSlideOrOfNoLabelAreRefused) {
  const std::string far = refused({feature("Polygon", "[" + rectangle(300, 0, 400, 64) + "]", "Stroma")});
  EXPECT_NE(far.find("feature 0 lies beside the slide"), std::string::npos) << far;
  const std::string other = refused({feature("Polygon", "[" + rectangle(0, 0, 64, 64) + "]", "Fat")});
  EXPECT_NE(other.find("1 of Fat"), std::string::npos) << other;
  EXPECT_NE(other.find("--classes"), std::string::npos) << other;
}

TEST(ParseClass, TakesAnyNameAndThreeLabels) {
  EXPECT_EQ(parse_class("A=b=stroma_rich"), std::pair(std::string("A=b"), NbiaLabel::stroma_rich));
  EXPECT_EQ(parse_class("Fat=background").second, NbiaLabel::background);
  for (const char* wrong : {"Stroma", "=stroma_rich", "Stroma=rich", "Stroma="})
    EXPECT_THROW(parse_class(wrong), Error);
}

}  // namespace
}  // namespace starpath
