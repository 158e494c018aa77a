// The page of a comparison: what it holds, and what a browser makes of it.
#include "pages/comparison/comparison_page.hpp"

#include <gtest/gtest.h>

#include "pages/comparison/page_files.hpp"
#include "pages/comparison/time_lines.hpp"
#include "tests/apps/browser.hpp"
#include "tests/apps/page_data.hpp"
#include "tests/comparison/small_runs.hpp"

namespace starpath::pages {
namespace {

using starpath::test::drawn;
using starpath::test::has_browser;
using starpath::test::page_data;
using test::record;

const CompareSubject kSubject{R"(segment "a'</script><b>&amp;\.svs)", "a machine", "starpath 0", "today", 3, 1};

std::string page(const std::vector<ComparedRun>& runs) { return page_of(summarise(runs), kSubject, runs); }

TEST(Page, IsOneFileThatNeedsNoOther) {
  const std::string text = page(test::runs());
  for (const char* link : {"http", "report.css\"", "report.js\"", "src=", "href=", "url(", "@import"})
    EXPECT_EQ(text.find(link), std::string::npos) << link;
  for (const char* file : {kComparisonPage.css, kComparisonPage.js}) EXPECT_NE(text.find(file), std::string::npos);
  EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(text.find("</html>"), std::string::npos);
}

TEST(Page, HoldsTheReport) {
  const Comparison all = summarise(test::runs());
  const auto data = page_data(page(test::runs()));
  EXPECT_EQ(data["report"], json_of(all, kSubject));
  EXPECT_EQ(data["protocol"], "3 runs of each policy, in turns, after 1 calibration run");
  EXPECT_EQ(data["workers"], "cpu: 2 workers; cuda K20: 1 worker");
}

TEST(Page, NoNameEndsTheScriptOrIsTakenForHtml) {
  const std::vector<ComparedRun> failed = {{"good", 0, "", record("good", 2, test::kGood)},
                                           {"worse", 0, "said \"</script><script>\"", {}}};
  const std::string text = page(failed);
  const auto data = page_data(text);
  EXPECT_EQ(data["report"]["command"], kSubject.command);
  EXPECT_EQ(data["report"]["policies"][1]["failures"][0], "said \"</script><script>\"");
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = text.find("</script>", at)) != std::string::npos; ++at) ++ends;
  EXPECT_EQ(ends, 2U) << "of the data and of the script";
}

TEST(Page, ANameThatIsNoUtf8IsShown) {
  const CompareSubject latin{"segment caf\xe9.svs", "", "", "", 1, 0};
  EXPECT_EQ(page_data(page_of(summarise({}), latin, {}))["report"]["command"], "segment caf\uFFFD.svs");
}

TEST(Page, ShowsTheMedianRunsOnOneScale) {
  const auto lines = page_data(page(test::runs()))["time_lines"];
  EXPECT_EQ(lines["seconds"], 4) << "the longest run that is shown";
  EXPECT_DOUBLE_EQ(lines["step"].get<double>(), 0.5);
  ASSERT_EQ(lines["policies"].size(), 2U);
  EXPECT_EQ(lines["policies"][0]["policy"], "good");
  EXPECT_EQ(lines["policies"][0]["makespan"], 2.5);
  const auto rows = lines["policies"][0]["rows"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], nlohmann::json::parse(R"({"worker": "0 cpu", "spans": [[0, 0, 250]]})"));
  EXPECT_EQ(rows[2], nlohmann::json::parse(R"({"worker": "2 cuda K20", "spans": [[1, 0, 500]]})"));
}

TEST(Page, WithoutAnyGoodRunThereIsStillAPage) {
  const auto data = page_data(page({{"worse", 0, "exit status 7", {}}}));
  EXPECT_EQ(data["report"]["policies"][0]["failures"][0], "exit status 7");
  EXPECT_FALSE(data.contains("time_lines"));
}

TEST(TimeLine, AColumnIsWhatFillsIt) {
  const RunRecord run = record("good", 4, {{0, 0, 0, 1}, {1, 0, 1, 1.6}, {0, 0, 1.6, 2}, {1, 0, 3, 3.4}, {0, 1, 0, 4}});
  EXPECT_EQ(time_line(run, 0, 4, 4), (std::vector<int>{0, 1, -1, -1})) << "0.4 of a column is not half of it";
  EXPECT_EQ(time_line(run, 1, 8, 4), (std::vector<int>{0, 0, -1, -1}));
  EXPECT_EQ(time_line(run, 2, 4, 4), (std::vector<int>(4, -1)));
}

TEST(TimeLine, StagesAreFoundByName) {
  const RunRecord run = record("good", 4, {{0, 0, 0, 2}, {1, 0, 2, 3}});
  EXPECT_EQ(time_lines(run, {"heavy", "other", "light"}, 4, 4)[0]["spans"],
            nlohmann::json::parse("[[2, 0, 2], [0, 2, 3]]"));
}

TEST(TimeLine, SizeIsBoundedWhateverTheNumberOfTasks) {
  std::vector<RecordedTask> tasks;
  for (int i = 0; i < 100000; ++i) tasks.push_back({static_cast<std::size_t>(i % 2), 0, i * 1e-3, (i + 1) * 1e-3});
  EXPECT_LT(time_lines(record("good", 100, tasks), {"light", "heavy"}, 100, 1000).dump().size(), 20000U);
}

TEST(TimeLine, StepsAreNice) {
  for (double length = 1e-4; length < 1e5; length *= 1.07) {
    const double steps = length / nice_step(length);
    EXPECT_GE(steps, 4) << length;
    EXPECT_LE(steps, 10 + 1e-9) << length;
  }
  EXPECT_DOUBLE_EQ(nice_step(9), 1);
  EXPECT_DOUBLE_EQ(nice_step(12), 2);
}

TEST(PageInABrowser, DrawsAllThatTheReportSays) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(page(test::runs()));
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
  for (const char* has :
       {"<h3>good: 2.500 s</h3>", "<h3>bad: 4.000 s</h3>", "<td class=\"failed\">1 failed: killed by signal 11</td>",
        "<span id=\"bound\">1.667</span>", "<td>light</td><td>2</td>", "title=\"heavy: 100.0 % on cpu\"",
        "class=\"colour stage1\" style=\"width:80.00%\"", "<text class=\"worker\" x=\"144\" y=\"43\">2 cuda K20</text>",
        "d=\"M150 0h250v14h-250zM150 16h250v14h-250z\"", ">3.5 s</text>", "<title>area bound</title>",
        "<tr class=\"best\"><td>good</td><td>2.500</td><td>2.000</td><td>3.000</td><td>1.500</td><td>3.0</td>"
        "<td>60.0 %</td><td>20.0 %</td><td>3</td>"})
    EXPECT_NE(text.find(has), std::string::npos) << has << "\n" << text;
}

TEST(PageInABrowser, ShowsWhatFailedAndNothingElseWithoutAGoodRun) {
  if (!has_browser()) GTEST_SKIP() << "no chromium here";
  const std::string text = drawn(page({{"worse", 0, "<i>exit status 7</i>", {}}}));
  EXPECT_EQ(text.find("CONSOLE"), std::string::npos) << text.substr(text.find("CONSOLE"));
  EXPECT_NE(text.find("1 failed: &lt;i&gt;exit status 7&lt;/i&gt;"), std::string::npos) << text;
  EXPECT_NE(text.find("<div id=\"measured\" hidden=\"\">"), std::string::npos) << text;
  EXPECT_NE(text.find("<span id=\"command\">segment \"a'&lt;/script&gt;&lt;b&gt;&amp;amp;\\.svs</span>"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace starpath::pages
