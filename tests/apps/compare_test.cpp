// `starpath compare` as a user runs it.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "comparison/record.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/page_data.hpp"

namespace starpath {
namespace {

using test::read_file;
using test::shell;
using test::TemporaryFolder;

/// Two CPU workers that policies and tables see as two classes.
constexpr const char* kTwoClasses = "STARPATH_CLASSES=first=0:second@accelerator=1 ";

nlohmann::json json_of(const test::Outcome& outcome) { return nlohmann::json::parse(outcome.output); }

TEST(Compare, MeasuresOursAndStarpusAlike) {
  const auto outcome =
      shell(std::string("STARPATH_CLASSES=first=0:second@accelerator=1 starpath compare segment "
                        "synthetic:700x600,seed=3 --policy pats,eager,heft,dmda --repeat 2 --json --quiet "
                        "-- --cpus 2 --tile 256 --halo 64"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto out = json_of(outcome);
  EXPECT_EQ(out["classes"], (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(out["workers"], (std::vector<int>{1, 1}));
  EXPECT_GT(out["bound"].get<double>(), 0);
  ASSERT_EQ(out["policies"].size(), 3u) << "heft is dmda, and there once";
  EXPECT_EQ(out["policies"][2]["policy"], "dmda");
  for (const auto& own : out["policies"]) {
    EXPECT_EQ(own["makespans"].size(), 2u);
    EXPECT_TRUE(own["failures"].empty());
    EXPECT_LE(own["min"], own["median"]);
    EXPECT_LE(own["median"], own["max"]);
    EXPECT_EQ(own["moved_bytes"], 0) << "one memory";
    for (const double idle : own["idle"]) {
      EXPECT_GE(idle, 0);
      EXPECT_LE(idle, 1);
    }
    for (std::size_t s = 0; s < out["stages"].size(); ++s) {
      const auto tasks = [&](const nlohmann::json& policy) {
        return policy["ran"][s][0].get<int>() + policy["ran"][s][1].get<int>();
      };
      EXPECT_EQ(tasks(own), tasks(out["policies"][0])) << out["stages"][s];
      EXPECT_GT(tasks(own), 0);
    }
  }
}

// What the record says is what the plug-in counted, by other means.
TEST(Compare, RecordAgreesWithThePlugIn) {
  const TemporaryFolder folder;
  const auto outcome = shell(
      kTwoClasses + ("STARPATH_STATS=" + folder / "stats.json") +
      " starpath segment synthetic:700x600,seed=3 --policy pats --cpus 2 --tile 256 --halo 64 --export none --out " +
      folder / "out" + " --record " + folder / "record.json");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const RunRecord record = read_record(read_file(folder / "record.json"));
  EXPECT_EQ(record.policy, "pats");
  EXPECT_GT(record.found["nuclei"], 0);
  std::map<std::pair<std::string, std::string>, int> counted, recorded;
  const auto statistics = nlohmann::json::parse(read_file(folder / "stats.json"));
  for (const auto& entry : statistics["ran"]) counted[{entry["codelet"], entry["class"]}] = entry["tasks"];
  for (const RecordedTask& task : record.tasks) {
    ++recorded[{record.stages[task.stage], record.classes[record.class_of(task.worker)].name}];
    EXPECT_GE(task.started, 0);
    EXPECT_LE(task.started, task.finished);
    EXPECT_LE(task.finished, record.makespan);
  }
  EXPECT_EQ(counted, recorded);
}

TEST(Compare, NbiaWithAPageAndAText) {
  const TemporaryFolder folder;
  const auto outcome = shell(
      "starpath compare nbia synthetic:2048x1024,pattern=stroma --policy fcfs,lws --repeat 1 "
      "--html " +
      folder / "page.html" + " -- --recalc-rate 1 --cpus 2");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  for (const char* said : {"run 1 of 3: calibration under fcfs, ", "run 3 of 3: ", "nbia run synthetic:2048x1024",
                           "1 run of each policy, in turns, after 1 calibration run", "area bound", "idle cpu",
                           "One class of workers: every codelet ran there."})
    EXPECT_NE(outcome.output.find(said), std::string::npos) << said << "\n" << outcome.output;
  const auto page = test::page_data(read_file(folder / "page.html"));
  const auto lines = page["time_lines"]["policies"];
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["policy"], "fcfs");
  EXPECT_EQ(lines[1]["policy"], "lws");
  EXPECT_EQ(lines[0]["makespan"], page["report"]["policies"][0]["median"]);
  EXPECT_EQ(lines[0]["rows"].size(), 2U) << "a row a worker";
  EXPECT_FALSE(lines[0]["rows"][0]["spans"].empty());
  const auto stages = page["report"]["stages"].get<std::vector<std::string>>();
  for (const char* stage : {"statistics_32", "classify_512"}) EXPECT_TRUE(std::ranges::count(stages, stage)) << stage;
}

TEST(Compare, AFailingPolicyIsReportedAndTheOthersGoOn) {
  const auto outcome =
      shell("STARPU_SCHED_LIB=" STARPATH_FAULTY_POLICIES
            " starpath compare segment synthetic:300x300 --policy crashes,eager --repeat 2 --calibrate 0 "
            "--json --quiet -- --cpus 1 2>/dev/null");
  EXPECT_EQ(outcome.code, 7) << outcome.output;
  const auto out = json_of(outcome);
  EXPECT_EQ(out["policies"][0]["failures"].size(), 2u);
  EXPECT_NE(out["policies"][0]["failures"][0].get<std::string>().find("killed by signal 9"), std::string::npos) << out;
  EXPECT_EQ(out["policies"][1]["makespans"].size(), 2u);
}

TEST(Compare, AHangingPolicyIsStoppedAndReported) {
  const auto outcome = shell("STARPU_SCHED_LIB=" STARPATH_FAULTY_POLICIES
                             " starpath compare segment synthetic:300x300 --policy hangs --repeat 1 --calibrate 0 "
                             "--timeout 3 -- --cpus 1");
  test::expect_says(outcome, 7, {"hangs  FAILED: took longer than", "1 of 1 runs failed"});
}

TEST(Compare, WrongUsageIsOneClearLine) {
  const auto expect = [](const std::string& arguments, int code, const std::string& text) {
    test::expect_says(shell("starpath compare " + arguments), code, {text});
  };
  expect("loop x", 2, "segment,nbia");
  expect("segment synthetic:300x300 --policy best", 2, "unknown policy 'best'");
  expect("segment synthetic:300x300 -- --out x", 2, "--out behind --: every run gets its own");
  expect("segment synthetic:300x300 -- --policy=fcfs", 2, "give --policy before the --");
  expect("segment no_such_slide.svs --policy fcfs", 3, "no_such_slide.svs");
  expect("segment synthetic:300x300 --policy fcfs -- --tiles 9", 2, "the first run, under fcfs, failed");
  expect("segment synthetic:300x300 --html no/such/folder/page.html", 4, "make the folder first");
}

}  // namespace
}  // namespace starpath
