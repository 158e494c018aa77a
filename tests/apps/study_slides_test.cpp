// Which slides a study has, and what their folders are called.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.hpp"
#include "io/study/folder_names.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/study/slide_list.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/growth.hpp"

namespace starpath::apps {
namespace {

using starpath::test::TemporaryFolder;

std::vector<std::string> folders(const std::vector<std::string>& paths, const std::vector<io::StudySlide>& known = {}) {
  std::vector<io::StudySlide> slides;
  for (const std::string& path : paths) slides.push_back({.path = path});
  io::name_folders(slides, known);
  std::vector<std::string> names;
  for (const io::StudySlide& slide : slides) names.push_back(slide.folder);
  return names;
}

using Names = std::vector<std::string>;

TEST(SlidesOf, AFolderAreNotThePicturesOfResults) {
  const TemporaryFolder folder;
  const auto found = [&] {
    std::vector<std::string> names;
    for (const io::StudySlide& slide : slides_of({folder / ""}, [](const std::string&) {}))
      names.push_back(std::filesystem::path(slide.path).filename().string());
    return names;
  };
  for (const std::string name : {"a.png", "clusters.png", "labels.tif", "map.png", "overlay.png"})
    std::ofstream(folder / name) << "x";
  EXPECT_EQ(found().size(), 5u);
  std::ofstream(folder / "results.sqlite") << "x";
  EXPECT_EQ(found(), (Names{"a.png", "clusters.png"}));
  std::ofstream(folder / "study.sqlite") << "x";
  EXPECT_EQ(found(), (Names{"a.png"}));
  std::filesystem::remove(folder / "a.png");
  EXPECT_THROW(found(), Error);
}

TEST(FolderNames, AreThoseOfTheSlides) {
  EXPECT_EQ(folders({"slides/CMU-1.svs", "tiles/", "a.ome.tif", "synthetic:700x600,seed=3", "x/.svs"}),
            (Names{"CMU-1", "tiles", "a.ome", "synthetic_700x600_seed_3", "svs"}));
}

TEST(FolderNames, TellSlidesOfOneNameApart) {
  EXPECT_EQ(folders({"p1/a.svs", "p2/a.svs", "p3/b.svs"}), (Names{"p1_a", "p2_a", "b"}));
  EXPECT_EQ(folders({"p1/a.svs", "p1/a.tif", "p2/A.svs"}), (Names{"p1_a", "p1_a_2", "p2_A"}));
  EXPECT_EQ(folders({"p1_a.svs", "p1/a.svs", "p2/a.svs"}), (Names{"p1_a", "p1_a_2", "p2_a"}));
}

TEST(FolderNames, AreCutBetweenCharacters) {
  const std::string umlaut = "\u00fc", euro = "\u20ac";
  std::string umlauts = "a", euros = "ab";
  for (int i = 0; i < 100; ++i) umlauts += umlaut, euros += euro;
  const Names names = folders({umlauts + ".svs", "p/" + euros + ".svs", "q/" + euros + ".svs"});
  EXPECT_EQ(names[0], umlauts.substr(0, 119));
  EXPECT_EQ(names[1], ("p_" + euros).substr(0, 118));
  EXPECT_EQ(names[2], ("q_" + euros).substr(0, 118));
}

TEST(FolderNames, AreNotThoseOfTheStudysFiles) {
  for (const std::string name :
       {"study.sqlite", "Study.SQLite-journal", "points", "report.html", "clusters.png", "results.lock", "slides.csv",
        "patients.csv", "heatmap.svg", "regions.csv", "study.sqlite.4711.new"})
    EXPECT_EQ(folders({"a/" + name + ".png"}), (Names{"slide_" + name})) << name;
  EXPECT_EQ(folders({"a/points.png", "b/slide_points.png"}), (Names{"a_points", "b_slide_points"}));
  EXPECT_EQ(folders({"moved/points.png"}, {{.path = "points.png", .folder = "slide_points"}}), (Names{"slide_points"}));
  EXPECT_EQ(folders({"pointsman.png", "clusters.png", "study.png"}), (Names{"pointsman", "clusters", "study"}));
}

TEST(FolderNames, StayOnceGiven) {
  EXPECT_EQ(folders({"p1/a.svs", "p2/a.svs"}, {{.path = "p1/a.svs", .folder = "a"}}), (Names{"a", "p2_a"}));
  EXPECT_EQ(folders({"moved/a.svs"}, {{.path = "p1/a.svs", .folder = "a"}}), (Names{"a"}));
  EXPECT_EQ(folders({"b.svs"}, {{.path = "a.svs", .folder = "b"}, {.path = "b.svs", .folder = "c"}}), (Names{"c"}));
}

TEST(FolderNames, OfSlidesOfOneNameAreNotTriedFromTheFirstOn) {
  const double times = test::growth(100, 1600, [](std::size_t count) {
    auto slides = std::make_shared<std::vector<io::StudySlide>>();
    for (std::size_t i = 0; i < count; ++i) slides->push_back({.path = "p" + std::to_string(i) + "/images/slide.svs"});
    return [slides] {
      io::name_folders(*slides, {});
      EXPECT_EQ(slides->at(0).folder, "images_slide");
      EXPECT_EQ(slides->back().folder, "images_slide_" + std::to_string(slides->size()));
    };
  });
  EXPECT_LT(times, 64) << "of 16 times as many slides";
}

class SlideList : public testing::Test {
 protected:
  std::vector<io::StudySlide> read(const std::string& text) {
    std::ofstream(list_) << text;
    left_out_.clear();
    return read_slide_list(list_, [&](const std::string& line) { left_out_.push_back(line); });
  }
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }

  const TemporaryFolder folder_;
  const std::string list_ = folder_ / "list.csv";
  std::vector<std::string> left_out_;
};

TEST_F(SlideList, GivesPathsAndWhatElseItSays) {
  const auto slides = read(
      "\xef\xbb\xbfPatient,path,Group,mpp,roi,Age at death\r\n"
      "P1,a.svs,A,0.25,\"0,0,100,200\",61\r\n"
      "\r\n"
      "P2,/slides/b.svs,,,,\r\n"
      "P3,synthetic:9x9,B\r\n");
  ASSERT_EQ(slides.size(), 3u);
  EXPECT_EQ(slides[0].path, folder_ / "a.svs");
  EXPECT_EQ(slides[0].patient, "P1");
  EXPECT_EQ(slides[0].group, "A");
  EXPECT_EQ(slides[0].mpp, 0.25);
  EXPECT_EQ(slides[0].roi, "0,0,100,200");
  EXPECT_EQ(slides[0].labels, (std::vector<std::pair<std::string, std::string>>{{"Age at death", "61"}}));
  EXPECT_EQ(slides[1].path, "/slides/b.svs");
  EXPECT_EQ(slides[1].mpp, 0);
  EXPECT_TRUE(slides[1].labels.empty());
  EXPECT_EQ(slides[2].path, "synthetic:9x9");
}

TEST_F(SlideList, TakesFilesWithRegionsFromItsFolder) {
  const auto slides = read("path,roi,exclude\na.svs,a.geojson,/pen/a.json\nb.svs,1 2 3 4,\n");
  EXPECT_EQ(slides[0].roi, folder_ / "a.geojson");
  EXPECT_EQ(slides[0].exclude, "/pen/a.json");
  EXPECT_EQ(slides[1].roi, "1 2 3 4");
  EXPECT_EQ(slides[1].exclude, "");
}

TEST_F(SlideList, LeavesOutPatientsWithoutSlides) {
  EXPECT_EQ(read("path,patient\na.svs,P1\n,P2\n").size(), 1u);
  ASSERT_EQ(left_out_.size(), 1u);
  EXPECT_NE(left_out_[0].find("list.csv:3: patient P2 has no slide"), std::string::npos);
}

TEST_F(SlideList, NamesLineAndReason) {
  EXPECT_NE(error_of("slide;patient\na.svs;P1\n").find("list.csv:1: has no column 'path'"), std::string::npos);
  EXPECT_NE(error_of("path,,mpp\na.svs,x,0.5\n").find("list.csv:2: has 'x' in a column without a name"),
            std::string::npos);
  EXPECT_NE(error_of("path,mpp\na.svs,x\n").find("list.csv:2: mpp 'x' is no number"), std::string::npos);
  EXPECT_NE(error_of("path,roi\na.svs,1 2 3\n").find("list.csv:2: roi '1 2 3'"), std::string::npos);
  EXPECT_NE(error_of("path\na.svs,b\n").find("list.csv:2: has 2 cells"), std::string::npos);
  EXPECT_NE(error_of("path,Path\na.svs,b\n").find("two columns"), std::string::npos);
  EXPECT_NE(error_of("path\n").find("names no slide"), std::string::npos);
  EXPECT_NE(error_of("").find("is empty"), std::string::npos);
}

TEST_F(SlideList, IsAsSpreadsheetsWriteIt) {
  const auto expect = [&](const std::string& text) {
    const auto slides = read(text);
    ASSERT_EQ(slides.size(), 2u) << text;
    EXPECT_EQ(slides[0].path, folder_ / "a.svs");
    EXPECT_EQ(slides[0].patient, "P1");
    EXPECT_EQ(slides[0].mpp, 0.25);
    EXPECT_EQ(slides[0].roi, "0,0,100,200");
    EXPECT_EQ(slides[1].path, folder_ / "b.svs");
    EXPECT_TRUE(slides[1].labels.empty());
    EXPECT_TRUE(left_out_.empty());
  };
  expect("path,patient,mpp,roi,,\r\na.svs,P1,0.25,\"0,0,100,200\",,\r\nb.svs,P2,,,,\r\n,,,,,\r\n");  // cells behind
  expect("path,patient,mpp,roi\na.svs,P1,0.25,\"0,0,100,200\",,,\nb.svs\n");
  expect("path;patient;mpp;roi\r\na.svs;P1;0,25;0,0,100,200\r\nb.svs;;;\r\n");  // where a comma is in numbers
  expect("sep=;\r\npath;patient;mpp;roi\r\na.svs;P1;0,25;0,0,100,200\r\nb.svs;;;\r\n");
  expect("path\tpatient\tmpp\troi\na.svs\tP1\t0.25\t\"0,0,100,200\"\nb.svs\t\t\t\n");
  expect("path,patient,mpp,roi\ra.svs,P1,0.25,\"0,0,100,200\"\rb.svs,,,\r");  // of Macintoshes
  std::string wide = "\xff\xfe";                                              // "Unicode text"
  for (const char c : std::string("path\tpatient\tmpp\troi\r\na.svs\tP1\t0,25\t0,0,100,200\r\nb.svs\r\n"))
    wide += {c, '\0'};
  expect(wide);
}

TEST_F(SlideList, NamesFilesInEitherUnicodeForm) {
  std::ofstream(folder_ / "Mu\u0308ller.svs") << "x";
  std::ofstream(folder_ / "r\u00e9gion.geojson") << "x";
  const auto slides = read("path,roi\nM\u00fcller.svs,re\u0301gion.geojson\n");
  EXPECT_EQ(slides[0].path, folder_ / "Mu\u0308ller.svs");
  EXPECT_EQ(slides[0].roi, folder_ / "r\u00e9gion.geojson");
}

TEST_F(SlideList, ClosesItsQuotes) {
  EXPECT_EQ(read("path,patient\n\"a \"\"b\"\".svs\",\"P,1\"\n")[0].patient, "P,1");
  const std::string told = "has a double quote that is not closed";
  EXPECT_NE(error_of("path,patient\na.svs,P1\n\"b.svs,P2\nc.svs,P3\n").find("list.csv:3: " + told), std::string::npos);
  EXPECT_NE(error_of("path,patient\na.svs,5\" block\n").find("list.csv:2: " + told), std::string::npos);
  EXPECT_NE(error_of("path,\"patient\na.svs,P1\n").find("list.csv:1: " + told), std::string::npos);
  EXPECT_NE(error_of("path,patient\na.svs,\"P\n1\"\n").find("list.csv:2: " + told), std::string::npos);
}

TEST_F(SlideList, MayBeginWithAByteOrderMarkBeforeAQuote) {
  EXPECT_EQ(read("\xef\xbb\xbf\"path\",mpp\na.svs,0.5\n")[0].mpp, 0.5);
}

TEST_F(SlideList, IsUtf8) {
  EXPECT_EQ(read("path,patient\na.svs,M\u00fcller\n")[0].patient, "M\u00fcller");
  const std::string told = "is not UTF-8; save it as CSV UTF-8";
  EXPECT_NE(error_of("path,patient\na.svs,P1\nb.svs,M\xfcller\n").find("list.csv:3: " + told), std::string::npos);
  EXPECT_NE(error_of("path,Gr\xf6\xdf"
                     "e\na.svs,1\n")
                .find("list.csv:1: " + told),
            std::string::npos);
  EXPECT_NE(error_of(std::string("\xff\xfep\0a\0t\0h\0\n\0", 12)).find("names no slide"), std::string::npos);
  EXPECT_NE(error_of(std::string("path,patient\na.svs,P\0"
                                 "1\n",
                                 23))
                .find("list.csv:2: holds a NUL byte"),
            std::string::npos);
}

TEST(Roi, IsFourWholeNumbers) {
  const std::vector<std::int64_t> numbers = {1, 2, 30, 4};
  for (const char* text : {"1,2,30,4", "1 2 30 4", "1; 2; 30; 4 "}) EXPECT_EQ(roi_numbers(text), numbers) << text;
  for (const char* text : {"", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1.5,2,3,4"})
    EXPECT_THROW(roi_numbers(text), Error) << text;
}

TEST(Roi, IsAFileWhenItIsNotMadeOfNumbers) {
  for (const char* text : {"regions.geojson", "a/b 1,2.json", "x"}) EXPECT_TRUE(names_region_file(text)) << text;
  for (const char* text : {"", "1,2,3", "1 2 3 4", "-1,0,2.5,3"}) EXPECT_FALSE(names_region_file(text)) << text;
  EXPECT_EQ(flaw_of_roi("regions.geojson", true), "");
  EXPECT_EQ(flaw_of_roi("1,2,3,4", false), "");
  EXPECT_NE(flaw_of_roi("regions.geojson", false), "");
  EXPECT_NE(flaw_of_roi("1,2,3", true), "");
}

TEST(Names, AreTextInAStudy) {
  EXPECT_NO_THROW(check_names({{.path = "g\xc3\xbc.svs"}}));
  for (const io::StudySlide& slide :
       {io::StudySlide{.path = "g\xfc.svs"}, io::StudySlide{.path = "a.svs", .roi = "g\xfc.geojson"},
        io::StudySlide{.path = "a.svs", .exclude = "g\xfc.geojson"}})
    EXPECT_THROW(check_names({{.path = "b.svs"}, slide}), Error);
}

TEST(GivenOnce, NamesWhatIsGivenTwice) {
  EXPECT_NO_THROW(check_given_once({{.path = "a.svs"}, {.path = "b/a.svs"}}));
  EXPECT_THROW(check_given_once({{.path = "a.svs"}, {.path = "./b/../a.svs"}}), Error);
}

}  // namespace
}  // namespace starpath::apps
