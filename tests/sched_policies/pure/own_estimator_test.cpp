// Learners of others in a real run: what they say is what the policy is told, and no fault of theirs ends the run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "base/temporary_folder.hpp"

#ifdef STARPATH_OUTSIDE_APP
#include <nlohmann/json.hpp>

namespace starpath {
namespace {

/// What outside_app prints under a policy with this estimator, on two classes.
std::string run_under(const std::string& policy, const std::string& estimator, const std::string& settings,
                      const std::string& output) {
  const std::string command =
      "STARPU_SILENT=1 STARPU_NCPU=2 STARPATH_CLASSES=slow=0:fast@accelerator=1 "
      "STARPU_SCHED_LIB='" STARPATH_PLUGIN "' STARPU_SCHED=" +
      policy + " STARPATH_ESTIMATOR='" + estimator + "' " + settings + " '" STARPATH_OUTSIDE_APP "' > '" + output +
      "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(output);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class OwnEstimator : public testing::Test {
 protected:
  std::string run(const std::string& policy, const std::string& estimator, const std::string& settings = "") const {
    return run_under(policy, estimator, settings, (folder_.path() / "output").string());
  }

  TemporaryFolder folder_;
};

TEST_F(OwnEstimator, WhatItSaysIsExpectedOfTasks) {
  for (const char* policy : {"pats", "eft", "apex"}) {
    const std::string trace = (folder_.path() / (std::string(policy) + ".json")).string();
    const std::string printed = run(policy, STARPATH_FAULTY_ESTIMATOR, "STARPATH_TRACE='" + trace + "'");
    EXPECT_EQ(printed.find("starpath:"), std::string::npos) << printed;
    std::size_t said = 0;
    std::ifstream in(trace);
    for (const auto& event : nlohmann::json::parse(in)) {
      if (event.at("ph") != "X" || !event.at("args").contains("expected_us")) continue;
      EXPECT_EQ(event.at("args").at("expected_us"), 125000);
      ++said;
    }
    EXPECT_GT(said, 1000U) << policy;
  }
}

TEST_F(OwnEstimator, TheExampleOfThePageRunsARealProgram) {
  for (const char* policy : {"pats", "eft"}) {
    const std::string printed = run(policy, STARPATH_EXAMPLE_ESTIMATOR);
    EXPECT_EQ(printed.find("starpath:"), std::string::npos) << printed;
    EXPECT_NE(printed.find("PASS outside_app"), std::string::npos) << printed;
  }
}

TEST_F(OwnEstimator, AFaultIsOneLineAndTheRunGoesOn) {
  const std::string faulty = STARPATH_FAULTY_ESTIMATOR, missing = (folder_.path() / "missing.so").string();
  const std::string called = "estimator " + faulty + ": its function ";
  struct Case {
    std::string estimator, fault, line;
  };
  const Case cases[] = {
      {missing, "", "estimator " + missing + ": cannot be loaded ("},
      {missing + "+perfmodel", "", "estimator " + missing + ": cannot be loaded ("},
      {STARPATH_NO_ESTIMATOR, "", "estimator " STARPATH_NO_ESTIMATOR ": defines no starpath_estimator; "},
      {faulty, "other version", "estimator " + faulty + ": was built with version 2 of starpath/estimator.h, "},
      {faulty, "lacks estimate", "estimator " + faulty + ": lacks the function 'estimate'"},
      {faulty, "throws in learn", called + "'learn' threw an exception (no licence: buy one)"},
      {faulty, "throws in estimate", called + "'estimate' threw an exception (no licence: buy one)"},
      {faulty, "nan", called + "'estimate' estimated nan seconds, which is no finite time above 0"},
      {faulty, "negative", called + "'estimate' estimated -1 seconds"}};
  for (const auto& [estimator, fault, line] : cases) {
    SCOPED_TRACE(estimator + " " + fault);
    const std::string printed = run("pats", estimator, "STARPATH_TEST_FAULT='" + fault + "'");
    const std::size_t at = printed.find("starpath: " + line);
    ASSERT_NE(at, std::string::npos) << printed;
    EXPECT_EQ(printed.find("starpath: ", at + 1), std::string::npos) << printed;
    EXPECT_NE(printed.substr(at, printed.find('\n', at) - at).find("; kNN estimates in its place"), std::string::npos);
    EXPECT_NE(printed.find("PASS outside_app"), std::string::npos) << printed;
  }
}

TEST_F(OwnEstimator, ANameWithoutASlashIsNotLoaded) {
  const std::string library = STARPATH_FAULTY_ESTIMATOR;
  const std::size_t slash = library.rfind('/');
  const std::string name = library.substr(slash + 1);
  const std::string printed = run("pats", name, "LD_LIBRARY_PATH='" + library.substr(0, slash) + "'");
  EXPECT_NE(printed.find("starpath: STARPATH_ESTIMATOR='" + name + "' is not valid"), std::string::npos) << printed;
  EXPECT_NE(printed.find("PASS outside_app"), std::string::npos) << printed;
}

}  // namespace
}  // namespace starpath
#endif
