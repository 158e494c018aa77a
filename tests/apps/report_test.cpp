// `starpath report`: the page holds what the study says, needs nothing else, and draws itself in a browser.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/sqlite.hpp"
#include "io/study/study_store.hpp"
#include "tests/apps/browser.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/made_up_study.hpp"
#include "tests/apps/page_data.hpp"
#include "tests/io/put_cohort.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::drawn;
using test::expect_one_line;
using test::expect_says;
using test::has_browser;
using test::page_data;
using test::read_file;
using test::SharedFolder;
using test::shell;
using test::sideways_scroll;
using test::TemporaryFolder;

/// All nuclei but one of each slide are of the first class, and one of those is out of range; the failed slide has
/// none.
void put_classes(const std::string& study) {
  io::StudyStore store = io::StudyStore::change(study + "/study.sqlite");
  io::StudyClasses classes{R"({"k":5})", {{"Tumor", 0xc80000}, {"<i>Other</i>", 0x0000c8}}, {}};
  for (const io::StudyRow& row : store.rows()) {
    const std::int64_t nuclei = row.summary.nuclei.value_or(0);
    if (nuclei == 0) continue;
    classes.counts.push_back({row.number, 0, 1, nuclei - 1, 1});
    classes.counts.push_back({row.number, 0, 2, 1, 0});
    classes.classes[0].nuclei += nuclei - 1;
    classes.classes[0].out_of_range += 1;
    classes.classes[1].nuclei += 1;
  }
  store.put_classes(classes);
}

/// Four slides of three patients; one slide cannot be read; clusters, classes and a cohort. The page lies beside it.
const SharedFolder& reported() {
  static const SharedFolder made("reported_study", [](const SharedFolder& folder) {
    std::ofstream(folder / "half.geojson")
        << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,500],[0,500],[0,0]]]},"properties":{"name":"<b>left</b>"}})";
    std::ofstream(folder / "broken.png") << "no picture";
    std::ofstream(folder / "list.csv")
        << "path,patient,group,mpp,roi,note\n\"synthetic:600x500,seed=1\",P1,</script>A,0.5,half.geojson,<i>x</i>\n"
           "\"synthetic:300x700,seed=2\",P1,</script>A,0.5,,\n\"synthetic:512x512,seed=3\",P2,B,0.5,,\n"
           "\"synthetic:400x400,seed=4\",P3,B,0.5,,\nbroken.png,P4,B,0.5,,\n";
    EXPECT_EQ(
        shell("starpath segment --quiet --export none --slides " + folder / "list.csv" + " --out " + folder / "study")
            .code,
        6);
    EXPECT_EQ(shell("starpath cluster --quiet --export none --k 3 " + folder / "study").code, 0);
    put_classes(folder / "study");
    EXPECT_EQ(shell("starpath cohort --quiet --k 2 " + folder / "study").code, 0);
    const auto run = shell("starpath report --quiet " + folder / "study");
    EXPECT_EQ(run.code, 0) << run.output;
    fs::rename(folder / "study/report.html", folder / "page.html");
  });
  return made;
}

std::string page() { return read_file(reported() / "page.html"); }

TEST(Report, IsOneFileThatNeedsNoOther) {
  for (const char* link : {"https:", "src=\"report", "href=\"report", "url(", "@import"})
    EXPECT_EQ(page().find(link), std::string::npos) << link;
  EXPECT_TRUE(page().starts_with("<!DOCTYPE html>"));
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = page().find("</script>", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 2u) << "of the data and of the script";
}

TEST(Report, HoldsWhatTheStudySays) {
  const nlohmann::json data = page_data(page());
  const io::StudyStore study = io::StudyStore::open(reported() / "study/study.sqlite");
  const auto rows = study.rows();
  ASSERT_EQ(data["slides"].size(), 5u);
  ASSERT_EQ(data["features"].size(), 20u);
  for (std::size_t i = 0; i < 4; ++i) {
    const nlohmann::json& slide = data["slides"][i];
    const std::int64_t nuclei = rows[i].summary.nuclei.value();
    ASSERT_GT(nuclei, 10);
    EXPECT_EQ(slide["nuclei"], nuclei);
    std::int64_t mapped = 0, clustered = 0;
    for (const auto& cell : slide["picture"]["density"]["nuclei"]) mapped += cell.get<std::int64_t>();
    for (const auto& cluster : slide["clusters"]) clustered += cluster.get<std::int64_t>();
    EXPECT_EQ(mapped, nuclei);
    EXPECT_EQ(clustered, nuclei);
    EXPECT_EQ(slide["classes"], (nlohmann::json{nuclei - 2, 1, 1})) << "in range, and those out of it";
    EXPECT_TRUE(slide["picture"]["href"].get<std::string>().starts_with("data:image/jpeg;base64,"));
    for (const nlohmann::json& feature : data["features"]) {
      const nlohmann::json& spread = feature["slides"][i];
      std::int64_t counted = spread["outside"].get<std::int64_t>();
      for (const auto& bin : spread["counts"]) counted += bin.get<std::int64_t>();
      EXPECT_EQ(counted, nuclei) << feature["title"];
      EXPECT_LE(spread["q1"], spread["median"]);
      EXPECT_LE(feature["low"], spread["q1"]);
      EXPECT_GE(feature["high"], spread["q3"]);
    }
  }
  const nlohmann::json& area = data["features"][0];
  EXPECT_EQ(data["slides"][4]["state"], "failed");
  EXPECT_TRUE(area["slides"][4].is_null());
  EXPECT_EQ(data["slides"][0]["regions"][0]["name"], "<b>left</b>");
  EXPECT_EQ(data["groups"][0]["name"], "</script>A");
  EXPECT_EQ(data["clusters"]["list"].size(), 3u);
  EXPECT_EQ(data["clusters"]["warning"].get<std::string>().find("the mean silhouette is 0.1"), 0u);
  const nlohmann::json& classes = data["classes"]["list"];
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_EQ(classes[0]["colour"], "#c80000");
  EXPECT_EQ(classes[2]["name"], "Out of range");
  EXPECT_EQ(classes[2]["colour"], "#cc79a7") << "as in exports";
  EXPECT_EQ(classes[2]["nuclei"], 4);
  EXPECT_EQ(data["cohort"]["patients"].size(), 3u);
  EXPECT_TRUE(data["cohort"]["heat_map"].get<std::string>().starts_with("data:image/svg+xml;base64,"));
  ASSERT_EQ(data["runs"].size(), 1u);
  EXPECT_EQ(data["runs"][0], nlohmann::json::parse(study.runs()[0]));
}

TEST(Report, LengthsAreInMicrometres) {
  const nlohmann::json data = page_data(page());
  const auto rows = io::StudyStore::open(reported() / "study/study.sqlite").rows();
  const auto area = std::ranges::find(rows[2].summary.features, "nucleus_area", &io::FeatureSummary::feature);
  bool found = false;
  for (const nlohmann::json& feature : data["features"]) {
    if (feature["title"] != "Area um^2") continue;
    found = true;
    EXPECT_NEAR(feature["slides"][2]["median"].get<double>(), area->median / 4, 1e-9) << "of half a micrometre a pixel";
  }
  EXPECT_TRUE(found);
}

TEST(Report, BeforeClustersAndCohortThereIsAPage) {
  const TemporaryFolder folder;
  test::make_study(folder / "study", {{"P1", "A"}, {"P2", "B", 0, 0, 0}});
  const auto run = shell("starpath report " + folder / "study" + " --out " + folder / "page.html");
  expect_says(run, 0, {"warning: ", "s1/results.sqlite: is not there", "page.html"});
  const nlohmann::json data = page_data(read_file(folder / "page.html"));
  EXPECT_FALSE(data.contains("clusters"));
  EXPECT_FALSE(data.contains("classes"));
  EXPECT_FALSE(data.contains("cohort"));
  EXPECT_TRUE(data["runs"].empty());
  EXPECT_FALSE(fs::exists(folder / "study/report.html"));
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(read_file(folder / "page.html"));
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
  EXPECT_NE(text.find("<section id=\"clusters\" hidden=\"\">"), std::string::npos);
  EXPECT_NE(text.find("<section id=\"classes\" hidden=\"\">"), std::string::npos);
  EXPECT_NE(text.find("No nuclei."), std::string::npos);
}

/// A density is named by what it is a density over.
TEST(Report, WithoutResolutionDensityIsByPixels) {
  const TemporaryFolder folder;
  support::write_tiled_tiff(folder / "dark.tif", 1);
  ASSERT_EQ(shell("starpath segment --export none --quiet synthetic:300x300,seed=1 " + folder / "dark.tif" + " --out " +
                  folder / "study")
                .code,
            0);
  ASSERT_EQ(shell("starpath report --quiet " + folder / "study").code, 0);
  const nlohmann::json slides = page_data(read_file(folder / "study/report.html"))["slides"];
  EXPECT_GT(slides[0]["picture"]["density"]["cell_mm2"], 0);
  EXPECT_TRUE(slides[1]["picture"]["density"]["cell_mm2"].is_null());
  EXPECT_EQ(slides[1]["picture"]["density"]["cell_pixels"], 64 * 64);
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(read_file(folder / "study/report.html"));
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
  EXPECT_NE(text.find(" nuclei a million working pixels"), std::string::npos) << text;
  EXPECT_NE(text.find(" nuclei, density unknown"), std::string::npos) << text;
}

TEST(Report, ASlideThatIsGoneHasNoPicture) {
  const TemporaryFolder folder;
  fs::copy(STARPATH_SOURCE_DIR "/docs/images/overlay.jpg", folder / "scan.jpg");
  ASSERT_EQ(shell("starpath segment --quiet --export none --mpp 0.5 synthetic:300x300,seed=1 " + folder / "scan.jpg" +
                  " --out " + folder / "study")
                .code,
            0);
  fs::remove(folder / "scan.jpg");
  expect_says(shell("starpath report " + folder / "study"), 0, {"warning: scan: no picture: ", "scan.jpg"});
  const nlohmann::json data = page_data(read_file(folder / "study/report.html"));
  EXPECT_TRUE(data["slides"][0]["picture"].contains("href"));
  EXPECT_FALSE(data["slides"][1]["picture"].contains("href"));
  EXPECT_TRUE(data["slides"][1]["picture"].contains("density"));
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(read_file(folder / "study/report.html"));
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
}

TEST(Report, AHeatMapThatCannotBeReadIsToldAndLeftOut) {
  const TemporaryFolder folder;
  fs::copy(reported() / "study", folder / "study", fs::copy_options::recursive);
  fs::remove(folder / "study/heatmap.svg");
  fs::create_directory(folder / "study/heatmap.svg");
  expect_says(shell("starpath report " + folder / "study"), 0, {"warning: ", "heatmap.svg: cannot be read (Is a dir"});
  EXPECT_FALSE(page_data(read_file(folder / "study/report.html"))["cohort"].contains("heat_map"));
}

TEST(Report, BadInputIsOneLine) {
  const TemporaryFolder folder;
  expect_one_line(shell("starpath report " + folder / "none"), 3, {"holds no study.sqlite"});
  fs::copy(reported() / "study", folder / "study", fs::copy_options::recursive);
  expect_one_line(shell("starpath report --features nucleus_mood " + folder / "study"), 2, {"nucleus_mood"});
  expect_one_line(shell("starpath report --out " + folder / "no/page.html " + folder / "study"), 4, {"page.html"});
}

TEST(Report, ADamagedDescriptionIsOneLine) {
  const TemporaryFolder folder;
  test::make_study(folder / "study", {{.patient = "P1"}});
  for (const std::string& text : {std::string("{\"cut"), std::string(100'000, '[')}) {
    Database(folder / "study/study.sqlite", Database::Open::existing)
        .prepare("UPDATE study SET value = ? WHERE key = 'parameters'")
        .run(std::string_view(text));
    expect_one_line(shell("starpath report " + folder / "study"), 5, {"study.sqlite", "is damaged"});
  }
}

/// CPU seconds of `starpath report` on so many slides that wait, beside a cohort with many notes.
double seconds_of_report(int slides) {
  const TemporaryFolder folder;
  test::make_study(folder / "study", std::vector<test::MadeUpSlide>(static_cast<std::size_t>(slides),
                                                                    {.state = io::SlideState::waiting}));
  const nlohmann::json about = {{"group", "group"}, {"notes", std::vector<std::string>(20'000, "a patient without")}};
  test::put_cohort(folder / "study/study.sqlite", about.dump(), "");
  const auto cpu_of_children = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  };
  const double begin = cpu_of_children();
  expect_says(shell("starpath report --quiet " + folder / "study"), 0, {});
  return cpu_of_children() - begin;
}

TEST(Report, TheCohortIsNotReadOnceASlide) {
  const double few = seconds_of_report(5);
  EXPECT_LT(seconds_of_report(600), 12 * few) << "of 120 times as many slides";
}

TEST(ReportInABrowser, DrawsAllSections) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(page());
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
  for (const char* section : {"warnings", "slides", "features", "clusters", "classes", "patients", "runs", "made"})
    EXPECT_NE(text.find("<section id=\"" + std::string(section) + "\">"), std::string::npos) << section;
  for (const char* has :
       {"<canvas width=\"5\" height=\"8\"", "<li>broken is failed: ", "&lt;b&gt;left&lt;/b&gt;",
        "note &lt;i&gt;x&lt;/i&gt;", "clusters: the mean silhouette is ", "&lt;/script&gt;A</span>",
        "Permutation test: not tested", "<b>Run 1</b>", "2 branches", "k = 3", "&lt;i&gt;Other&lt;/i&gt;: 4 (",
        "Out of range: 4 (", "its k = 5 nearest", "By group", "nuclei a mm²"})
    EXPECT_NE(text.find(has), std::string::npos) << has;
}

TEST(ReportInABrowser, NeedsNoScrollingSideways) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  for (const int window : {390, 1280}) EXPECT_EQ(sideways_scroll(page(), window), 0) << window;
}

}  // namespace
}  // namespace starpath
