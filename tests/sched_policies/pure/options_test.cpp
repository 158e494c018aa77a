// Options: what is allowed, what is reported, and that every documented option is read.
#include "sched_policies/options/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "sched_policies/options/option_table.hpp"
#include "sched_policies/policies/policy_table.hpp"

namespace starpath {
namespace {

struct Read {
  Options options;
  std::vector<std::string> reports;
};

Read read(const std::map<std::string, std::string>& variables) {
  Read result;
  result.options = read_options(
      [&](const char* name) {
        const auto found = variables.find(name);
        return found != variables.end() ? found->second.c_str() : nullptr;
      },
      [&](const std::string& line) { result.reports.push_back(line); });
  return result;
}

TEST(Options, DefaultsWithoutVariables) {
  const Read result = read({});
  EXPECT_EQ(result.options.estimator, std::nullopt);
  EXPECT_EQ(result.options.knn_k, 2U);
  EXPECT_TRUE(result.options.learn);
  EXPECT_EQ(result.options.speedup_error.fraction, 0);
  EXPECT_TRUE(result.options.classes.empty());
  EXPECT_TRUE(result.options.machine_profile);
  EXPECT_EQ(result.options.profile_file, "");
  EXPECT_TRUE(result.reports.empty());
}

TEST(Options, AProfileIsAFileOrNone) {
  const Options none = read({{"STARPATH_PROFILE", "none"}}).options;
  EXPECT_FALSE(none.machine_profile);
  EXPECT_EQ(none.profile_file, "");
  const Options file = read({{"STARPATH_PROFILE", "my.profile"}}).options;
  EXPECT_FALSE(file.machine_profile);
  EXPECT_EQ(file.profile_file, "my.profile");
}

TEST(Options, ReadsEveryVariable) {
  const Read result = read({{"STARPATH_ESTIMATOR", "perfmodel"},
                            {"STARPATH_KNN_K", "7"},
                            {"STARPATH_LEARN", "off"},
                            {"STARPATH_SPEEDUP_ERROR", "25:9"},
                            {"STARPATH_CLASSES", "little=0,2-4:big@accelerator=1:host@cpu=5"},
                            {"STARPATH_PLACEMENT", "worst"},
                            {"STARPATH_STATS", "stats.json"},
                            {"STARPATH_TRACE", "trace.json"}});
  EXPECT_TRUE(result.reports.empty());
  EXPECT_EQ(result.options.estimator, EstimatorKind::perfmodel);
  EXPECT_EQ(result.options.knn_k, 7U);
  EXPECT_FALSE(result.options.learn);
  EXPECT_EQ(result.options.speedup_error.fraction, 0.25);
  EXPECT_EQ(result.options.speedup_error.seed, 9U);
  ASSERT_EQ(result.options.classes.size(), 3U);
  EXPECT_EQ(result.options.classes[0].name, "little");
  EXPECT_EQ(result.options.classes[0].kind, std::nullopt);
  EXPECT_EQ(result.options.classes[0].workers, (std::vector<WorkerId>{0, 2, 3, 4}));
  EXPECT_EQ(result.options.classes[1].kind, DeviceKind::accelerator);
  EXPECT_EQ(result.options.classes[2].kind, DeviceKind::cpu);
  EXPECT_EQ(result.options.placement, Placement::worst);
  EXPECT_EQ(result.options.stats_file, "stats.json");
  EXPECT_EQ(result.options.trace_file, "trace.json");
}

TEST(Options, ReadsLookAhead) {
  const Read fixed =
      read({{"STARPATH_LOCALITY", "on"}, {"STARPATH_TRANSFER_IMPACT", "0.13"}, {"STARPATH_PREFETCH", "8"}});
  EXPECT_TRUE(fixed.reports.empty());
  EXPECT_TRUE(fixed.options.locality);
  EXPECT_EQ(fixed.options.transfer_impact, 0.13);
  EXPECT_FALSE(fixed.options.prefetch.adaptive);
  EXPECT_EQ(fixed.options.prefetch.tasks, 8U);
  const Read adaptive = read({{"STARPATH_TRANSFER_IMPACT", "measured"}, {"STARPATH_PREFETCH", "adaptive"}});
  EXPECT_TRUE(adaptive.reports.empty());
  EXPECT_EQ(adaptive.options.transfer_impact, std::nullopt);
  EXPECT_TRUE(adaptive.options.prefetch.adaptive);
  EXPECT_FALSE(read({{"STARPATH_PREFETCH", "off"}}).options.prefetch.on());
}

TEST(Options, EveryEstimatorHasItsNameAndAutoIsAnotherNameOfOne) {
  for (const EstimatorKind kind :
       {EstimatorKind::knn, EstimatorKind::knn_and_perfmodel, EstimatorKind::perfmodel, EstimatorKind::none}) {
    const Read result = read({{"STARPATH_ESTIMATOR", std::string(name_of(kind))}});
    EXPECT_TRUE(result.reports.empty());
    EXPECT_EQ(result.options.estimator, kind);
    EXPECT_EQ(keeps_samples(result.options), uses_samples(kind));
  }
  EXPECT_EQ(read({{"STARPATH_ESTIMATOR", "auto"}}).options.estimator, EstimatorKind::knn_and_perfmodel);
}

TEST(Options, AnEstimatorIsALearnerWithOrWithoutModels) {
  EXPECT_EQ(read({}).options.learner, "knn");
  for (const char* learner : {"knn", "linear", "/path/to/lib.so", "./lib.so"}) {
    const Read alone = read({{"STARPATH_ESTIMATOR", learner}});
    EXPECT_TRUE(alone.reports.empty());
    EXPECT_EQ(alone.options.learner, learner);
    EXPECT_EQ(alone.options.estimator, EstimatorKind::knn);
    const Read both = read({{"STARPATH_ESTIMATOR", std::string(learner) + "+perfmodel"}});
    EXPECT_TRUE(both.reports.empty());
    EXPECT_EQ(both.options.learner, learner);
    EXPECT_EQ(both.options.estimator, EstimatorKind::knn_and_perfmodel);
  }
}

TEST(Options, ThePapersPoliciesEstimateFromSamplesAloneUnlessToldOtherwise) {
  Options asked;
  asked.estimator = EstimatorKind::perfmodel;
  for (const PolicyInfo& policy : policy_table()) {
    const bool ours = policy.name == "apex";
    EXPECT_EQ(estimator_of({}, policy), ours ? EstimatorKind::knn_and_perfmodel : EstimatorKind::knn) << policy.name;
    EXPECT_EQ(estimator_of(asked, policy), EstimatorKind::perfmodel);
  }
}

TEST(Options, ABadValueIsOneLineThatNamesItAndTheDefaultHolds) {
  const std::map<std::string, std::vector<std::string>> bad = {
      {"STARPATH_ESTIMATOR", {"KNN", "knn ", "1", "lib.so", "lib.so+perfmodel", "+perfmodel", "none+perfmodel"}},
      {"STARPATH_KNN_K", {"0", "65", "-1", "2.5", "two", "2x"}},
      {"STARPATH_LEARN", {"1", "ON", "true"}},
      {"STARPATH_SPEEDUP_ERROR", {"101", "-1", "nan", "10:", "10:x", ":1", "10:1:2", "inf"}},
      {"STARPATH_LOCALITY", {"1", "ON", "yes"}},
      {"STARPATH_TRANSFER_IMPACT", {"-0.1", "1.1", "nan", "30%", "measure"}},
      {"STARPATH_PREFETCH", {"0", "on", "65", "-1", "2.5", "adaptive "}},
      {"STARPATH_CLASSES",
       {"a", "=0", "a=", "a=1-", "a=3-1", "a=x", "a@gpu=0", "a=99999999999", ":a=0", "a=0:", "a=0,", "a=0,:b=1",
        "a=0::b=1", "a=0:a=1", "a@cpu=0:b=2:a@accelerator=1", "a=0,1:b=2,1", "a=0-5:b=3", "a=0,0"}}};
  for (const auto& [variable, values] : bad) {
    for (const std::string& value : values) {
      const Read result = read({{variable, value}});
      ASSERT_EQ(result.reports.size(), 1U) << variable << "=" << value;
      const std::string& line = result.reports[0];
      EXPECT_NE(line.find(variable + "='" + value + "'"), std::string::npos) << line;
      EXPECT_NE(line.find(option_info(variable).allowed), std::string::npos) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
      EXPECT_EQ(result.options.knn_k, 2U);
      EXPECT_EQ(result.options.estimator, std::nullopt);
      EXPECT_TRUE(result.options.learn);
      EXPECT_EQ(result.options.speedup_error.fraction, 0);
      EXPECT_TRUE(result.options.classes.empty());
      EXPECT_FALSE(result.options.locality);
      EXPECT_EQ(result.options.transfer_impact, std::nullopt);
      EXPECT_FALSE(result.options.prefetch.on());
    }
  }
}

/// What is left of STARPATH_STATS and STARPATH_TRACE, and the lines about it.
struct Outputs {
  std::string stats, trace;
  std::vector<std::string> reports;
};

Outputs outputs(const std::string& profile, const std::string& stats, const std::string& trace) {
  Read result = read({{"STARPATH_PROFILE", profile}, {"STARPATH_STATS", stats}, {"STARPATH_TRACE", trace}});
  EXPECT_EQ(result.options.profile_file, profile);
  return {result.options.stats_file, result.options.trace_file, std::move(result.reports)};
}

TEST(Options, OneFileIsNotNamedTwice) {
  const std::string here = std::filesystem::current_path().string();
  for (const std::string& again : {std::string("nowhere.a"), std::string("./nowhere.a"), here + "/nowhere.a"}) {
    const Outputs stats = outputs("nowhere.a", again, "nowhere.b");
    EXPECT_EQ(stats.stats, "");
    EXPECT_EQ(stats.trace, "nowhere.b");
    EXPECT_EQ(stats.reports, std::vector<std::string>{"STARPATH_STATS='" + again +
                                                      "' is the file of STARPATH_PROFILE; it is not written: name "
                                                      "another file"});
    const Outputs trace = outputs("nowhere.a", "nowhere.b", again);
    EXPECT_EQ(trace.stats, "nowhere.b");
    EXPECT_EQ(trace.trace, "");
    EXPECT_EQ(trace.reports.size(), 1U);
    const Outputs both = outputs("", again, "nowhere.a");
    EXPECT_EQ(both.stats, "");
    EXPECT_EQ(both.trace, "nowhere.a");
    ASSERT_EQ(both.reports.size(), 1U);
    EXPECT_NE(both.reports[0].find("is the file of STARPATH_TRACE"), std::string::npos) << both.reports[0];
    EXPECT_EQ(outputs(again, again, again).reports.size(), 2U);
  }
  // Nothing is replaced there: both are written.
  EXPECT_EQ(outputs("", "/dev/null", "/dev/null").reports, std::vector<std::string>{});
  EXPECT_EQ(outputs("a", "b", "c").reports, std::vector<std::string>{});
}

TEST(Options, EveryOptionOfTheTableIsRead) {
  std::vector<std::string> asked;
  read_options(
      [&](const char* name) -> const char* {
        asked.emplace_back(name);
        return nullptr;
      },
      [](const std::string&) {});
  EXPECT_EQ(asked.size(), option_table().size());
  for (const OptionInfo& option : option_table()) {
    EXPECT_EQ(std::ranges::count(asked, option.variable), 1) << option.variable;
  }
}

}  // namespace
}  // namespace starpath
