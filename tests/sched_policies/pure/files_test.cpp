// The files that STARPATH_STATS and STARPATH_TRACE name, after a real run under every policy.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "base/temporary_folder.hpp"
#include "sched_policies/policies/policy_table.hpp"

#ifdef STARPATH_OUTSIDE_APP
#include <nlohmann/json.hpp>

namespace starpath {
namespace {

using nlohmann::json;

class Files : public testing::TestWithParam<PolicyInfo> {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "starpath-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void run(const std::string& program) const {
    const std::string command = "STARPU_SILENT=1 STARPU_NCPU=2 STARPU_SCHED_LIB='" STARPATH_PLUGIN "' STARPU_SCHED=" +
                                std::string(GetParam().name) + " STARPATH_STATS='" + (folder_ / "stats.json").string() +
                                "' STARPATH_TRACE='" + (folder_ / "trace.json").string() + "' " + program + " > '" +
                                (folder_ / "output").string() + "' 2>'" + (folder_ / "errors").string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  json read(const std::string& name) const {
    std::ifstream in(folder_ / name);
    return json::parse(in);
  }

  std::filesystem::path folder_;
  // What outside_app submits.
  const std::map<std::string, int> submitted_ = {{"scale", 1280}, {"add", 640}, {"count", 10000}};
};

TEST_P(Files, StatisticsCountEveryTaskOnce) {
  run("'" STARPATH_OUTSIDE_APP "'");
  const json stats = read("stats.json");
  EXPECT_EQ(stats.at("version"), 1);
  EXPECT_EQ(stats.at("policies"), json::array({GetParam().name}));
  ASSERT_EQ(stats.at("classes").size(), 1U);
  EXPECT_EQ(stats.at("classes")[0].at("name"), "cpu");
  EXPECT_EQ(stats.at("classes")[0].at("kind"), "cpu");
  EXPECT_EQ(stats.at("classes")[0].at("workers"), json::array({0, 1}));
  std::map<std::string, int> tasks;
  for (const json& entry : stats.at("ran")) {
    EXPECT_EQ(entry.at("class"), "cpu");
    EXPECT_GT(entry.at("seconds").get<double>(), 0);
    tasks[entry.at("codelet")] += entry.at("tasks").get<int>();
  }
  EXPECT_EQ(tasks, submitted_);
}

TEST_P(Files, TheTraceHoldsEveryTaskOnceAndNoWorkerRunsTwoAtATime) {
  run("'" STARPATH_OUTSIDE_APP "'");
  std::map<std::string, int> tasks;
  std::map<int, double> last_end;
  for (const json& event : read("trace.json")) {
    if (event.at("ph") != "X") continue;
    ++tasks[event.at("name")];
    const int worker = event.at("tid");
    const double start = event.at("ts");
    const double duration = event.at("dur");
    EXPECT_GE(duration, 0);
    EXPECT_GE(start, last_end[worker] - 1e-3);
    last_end[worker] = start + duration;
    EXPECT_GE(event.at("args").at("queue_wait_us").get<double>(), 0);
  }
  EXPECT_EQ(tasks, submitted_);
}

TEST_P(Files, StatisticsCountTasksWhoseEndTheirWorkerDoesNotReport) {
  for (const std::string kind : {"redux", "end_deps", "outside"}) {
    run("'" STARPATH_UNREPORTED_ENDS "' " + kind + " 1 2");
    int expected = 0;
    std::ifstream(folder_ / "output") >> expected;  // StarPU's internal tasks are not among them
    int tasks = 0;
    const json stats = read("stats.json");
    for (const json& entry : stats.at("ran")) tasks += entry.at("tasks").get<int>();
    EXPECT_GT(expected, 200);
    EXPECT_EQ(tasks, expected) << kind;
  }
}

TEST_P(Files, HoldNoTasksOfContextsWithoutAPolicy) {
  run("'" STARPATH_OBLIGATIONS "' no_policy");
  std::map<std::string, int> counted;
  std::map<std::string, int> traced;
  const json stats = read("stats.json");
  for (const json& entry : stats.at("ran")) counted[entry.at("codelet")] += entry.at("tasks").get<int>();
  for (const json& event : read("trace.json")) {
    if (event.at("ph") == "X") ++traced[event.at("name")];
  }
  const std::map<std::string, int> expected = {{"plain", 400}, {"hold", 2}};  // what runs elsewhere
  EXPECT_EQ(counted, expected);
  EXPECT_EQ(traced, expected);
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, Files, testing::ValuesIn(policy_table().begin(), policy_table().end()),
                         [](const auto& policy) { return std::string(policy.param.name); });

/// Runs outside_app with these settings and returns what it prints, which goes by `output`.
std::string print_of(const std::string& settings, const std::string& output) {
  const std::string command = "STARPU_SILENT=1 STARPU_NCPU=2 STARPU_SCHED_LIB='" STARPATH_PLUGIN
                              "' STARPU_SCHED=fcfs " +
                              settings + " '" STARPATH_OUTSIDE_APP "' > '" + output + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(output);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST(Messages, AreOneLineWhateverAValueHolds) {
  const TemporaryFolder folder;
  const std::string printed = print_of("STARPATH_ESTIMATOR='or\na\tcle'", (folder.path() / "output").string());
  EXPECT_NE(printed.find("starpath: STARPATH_ESTIMATOR='or a cle' is not valid"), std::string::npos) << printed;
}

TEST(FilesInTheWay, AreLeftAndDevicesAreWrittenThrough) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  const auto run = [&](const std::string& stats, const std::string& trace) {
    return print_of("STARPATH_STATS='" + stats + "' STARPATH_TRACE='" + trace + "'", file("output"));
  };
  std::ofstream(file("precious")) << "precious";
  std::filesystem::create_symlink(file("precious"), file("link"));
  std::filesystem::create_symlink("/dev/null", file("null"));
  const std::string refused = run(file("link"), file("link"));
  for (const char* name : {"STARPATH_STATS", "STARPATH_TRACE"})
    EXPECT_NE(refused.find(std::string("cannot write ") + name + "='" + file("link") + "': is a symbolic link"),
              std::string::npos)
        << refused;
  EXPECT_NE(run("/dev/stdout", file("null")).find("\"policies\": [\n  \"fcfs\"\n ]"), std::string::npos);
  run(file("null"), file("null"));
  EXPECT_EQ(std::filesystem::read_symlink(file("null")), "/dev/null");
  EXPECT_EQ(std::filesystem::file_size(file("precious")), 8U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 4);
}

TEST(FilesInTheWay, AProfileIsNeverReplaced) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return "'" + (folder.path() / name).string() + "'"; };
  const auto run = [&](const std::string& settings) { return print_of(settings, (folder.path() / "output").string()); };
  const auto begins_as_profile = [&](const char* name) {
    std::array<char, 15> begin{};
    std::ifstream(folder.path() / name).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == "SQLite format 3";
  };
  const std::string made = run("STARPATH_PROFILE=" + file("profile") + " STARPATH_STATS=" + file("profile"));
  EXPECT_NE(made.find("is the file of STARPATH_PROFILE"), std::string::npos) << made;
  ASSERT_TRUE(begins_as_profile("profile"));
  // Under another name, and when it is not the profile of this run.
  std::filesystem::create_hard_link(folder.path() / "profile", folder.path() / "again");
  for (const std::string& profile : {"STARPATH_PROFILE=" + file("profile") + " ", std::string()}) {
    for (const std::string variable : {"STARPATH_STATS", "STARPATH_TRACE"}) {
      const std::string printed = run(profile + variable + "=" + file("again"));
      EXPECT_NE(printed.find("starpath: cannot write " + variable + "=" + file("again") + ": is a profile"),
                std::string::npos)
          << printed;
      EXPECT_TRUE(begins_as_profile("again")) << variable;
      EXPECT_TRUE(begins_as_profile("profile")) << variable;
    }
  }
}

}  // namespace
}  // namespace starpath
#endif
