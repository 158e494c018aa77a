// What a comparison makes of its runs: checked by hand on small ones.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "comparison/report.hpp"
#include "tests/comparison/small_runs.hpp"

namespace starpath {
namespace {

using test::kGood;
using test::record;
using test::runs;

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
}

TEST(CompareFacts, WithoutAnyGoodRunThereIsStillAReport) {
  const std::vector<ComparedRun> failed = {{"worse", 0, "exit status 7", {}}};
  const Comparison all = summarise(failed);
  EXPECT_EQ(all.bound, 0);
  EXPECT_NE(text_of(all, {}).find("worse  FAILED: exit status 7"), std::string::npos);
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

}  // namespace
}  // namespace starpath
