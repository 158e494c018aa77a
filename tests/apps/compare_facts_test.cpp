// What a comparison makes of its runs: checked by hand on small ones.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/compare/gantt.hpp"
#include "apps/compare/page.hpp"
#include "apps/compare/report.hpp"
#include "apps/compare/summary.hpp"
#include "base/error.hpp"

namespace starpath::apps {
namespace {

/// Two cores (0, 1) and a GPU (2). Stage "light": 1 s on a core, 1 s on the GPU; "heavy": 4 s and 1 s.
RunRecord record(const std::string& policy, double makespan, const std::vector<RecordedTask>& tasks) {
  return {policy, makespan, 3e6, {{"cpu", {0, 1}}, {"cuda K20", {2}}}, {"light", "heavy"}, tasks, {{"nuclei", 7}}};
}

const std::vector<RecordedTask> kGood = {{0, 0, 0, 1}, {0, 1, 0, 1}, {1, 2, 0, 1}, {1, 2, 1, 2}};
const std::vector<RecordedTask> kBad = {{0, 2, 0, 1}, {1, 0, 0, 4}, {1, 1, 0, 4}, {0, 2, 1, 2}};

std::vector<ComparedRun> runs() {
  return {{"good", 0, "", record("good", 2, kGood)},
          {"bad", 0, "", record("bad", 4, kBad)},
          {"good", 1, "", record("good", 3, kGood)},
          {"bad", 1, "killed by signal 11", {}},
          {"good", 2, "", record("good", 2.5, kGood)}};
}

TEST(CompareFacts, MedianIdleSharesAndBound) {
  const Comparison all = summarise(runs());
  EXPECT_EQ(all.classes, (std::vector<std::string>{"cpu", "cuda K20"}));
  EXPECT_EQ(all.workers, (std::vector<unsigned>{2, 1}));
  ASSERT_EQ(all.policies.size(), 2u);
  const PolicyFacts &good = all.policies[0], &bad = all.policies[1];
  EXPECT_EQ(good.makespans, (std::vector<double>{2, 3, 2.5}));
  EXPECT_DOUBLE_EQ(good.median, 2.5);
  EXPECT_DOUBLE_EQ(good.least, 2);
  EXPECT_DOUBLE_EQ(good.most, 3);
  EXPECT_EQ(good.shown, 4u);
  EXPECT_DOUBLE_EQ(good.moved_bytes, 3e6);
  EXPECT_DOUBLE_EQ(good.idle[0], 1 - 6 / (2 * 7.5));
  EXPECT_DOUBLE_EQ(good.idle[1], 1 - 6 / 7.5);
  EXPECT_EQ(good.ran, (std::vector<std::vector<std::uint64_t>>{{6, 0}, {0, 6}}));
  EXPECT_DOUBLE_EQ(share_of(bad, 1, 0), 100);
  EXPECT_EQ(bad.failures, (std::vector<std::string>{"killed by signal 11"}));
  // The GPU takes the two heavy tasks, the cores the two light ones and part of a heavy one: 2 T = 2 + 4 x, T = 2 - x.
  EXPECT_NEAR(all.bound, 5.0 / 3, 1e-5);
}

TEST(CompareFacts, APolicyThatOnlyFailedIsShownAsFailed) {
  const std::vector<ComparedRun> failed = {{"good", 0, "", record("good", 2, kGood)},
                                           {"worse", 0, "took longer than 3 s", {}}};
  const CompareSubject subject{"segment <x>", "a machine", "starpath 0", "today", 1, 0};
  const Comparison all = summarise(failed);
  EXPECT_FALSE(all.policies[1].known());
  EXPECT_NE(text_of(all, subject).find("worse  FAILED: took longer than 3 s"), std::string::npos);
  EXPECT_EQ(json_of(all, subject)["policies"][1]["failures"][0], "took longer than 3 s");
  const std::string page = page_of(all, subject, failed);
  EXPECT_NE(page.find("1 failed: took longer than 3 s"), std::string::npos);
  EXPECT_NE(page.find("segment &lt;x&gt;"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "it needs no network";
}

TEST(CompareFacts, WithoutAnyGoodRunThereIsStillAReport) {
  const std::vector<ComparedRun> failed = {{"worse", 0, "exit status 7", {}}};
  const Comparison all = summarise(failed);
  EXPECT_EQ(all.bound, 0);
  EXPECT_NE(text_of(all, {}).find("worse  FAILED: exit status 7"), std::string::npos);
  EXPECT_NE(page_of(all, {}, failed).find("</html>"), std::string::npos);
}

TEST(CompareFacts, ARecordSurvivesItsFile) {
  const RunRecord before = record("good", 2, kGood);
  const RunRecord after = read_record(to_json(before).dump());
  EXPECT_EQ(to_json(after), to_json(before));
  EXPECT_THROW(read_record("{}"), Error);
  EXPECT_THROW(read_record(""), Error);
  nlohmann::json wrong = to_json(before);
  wrong["tasks"][0][1] = 9;
  EXPECT_THROW(read_record(wrong.dump()), Error) << "a worker of no class";
}

TEST(Gantt, AColumnIsWhatFillsIt) {
  const RunRecord run = record("good", 4, {{0, 0, 0, 1}, {1, 0, 1, 1.6}, {0, 0, 1.6, 2}, {1, 0, 3, 3.4}, {0, 1, 0, 4}});
  EXPECT_EQ(time_line(run, 0, 4, 4), (std::vector<int>{0, 1, -1, -1})) << "0.4 of a column is not half of it";
  EXPECT_EQ(time_line(run, 1, 8, 4), (std::vector<int>{0, 0, -1, -1}));
  EXPECT_EQ(time_line(run, 2, 4, 4), (std::vector<int>(4, -1)));
}

TEST(Gantt, TextIsBoundedWhateverTheNumberOfTasks) {
  std::vector<RecordedTask> tasks;
  for (int i = 0; i < 100000; ++i) tasks.push_back({static_cast<std::size_t>(i % 2), 0, i * 1e-3, (i + 1) * 1e-3});
  EXPECT_LT(gantt_svg(record("good", 100, tasks), {"light", "heavy"}, 100, 50).size(), 40000u);
}

TEST(Gantt, StepsAreNice) {
  for (double length = 1e-4; length < 1e5; length *= 1.07) {
    const double steps = length / nice_step(length);
    EXPECT_GE(steps, 4) << length;
    EXPECT_LE(steps, 10 + 1e-9) << length;
  }
  EXPECT_DOUBLE_EQ(nice_step(9), 1);
  EXPECT_DOUBLE_EQ(nice_step(12), 2);
}

}  // namespace
}  // namespace starpath::apps
