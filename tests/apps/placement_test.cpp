// `starpath placement`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::shell;

const std::string kKeeneland = "--topology " STARPATH_SOURCE_DIR "/tests/machines/keeneland.xml";

TEST(PlacementCommand, PrintsATableOfGpusAndCores) {
  const auto run = shell("starpath placement " + kKeeneland);
  ASSERT_EQ(run.code, 0) << run.output;
  for (const char* word : {"PCI bus", "NUMA node", "core", "0000:14:00.0", "STARPU_WORKERS_CPUID=0 6 7 1"})
    EXPECT_NE(run.output.find(word), std::string::npos) << word << "\n" << run.output;
}

TEST(PlacementCommand, ObeysTheVariable) {
  const auto run = shell("STARPATH_PLACEMENT=worst starpath placement --json " + kKeeneland);
  ASSERT_EQ(run.code, 0) << run.output;
  const auto plan = nlohmann::json::parse(run.output);
  EXPECT_EQ(plan["placement"], "worst");
  ASSERT_EQ(plan["gpus"].size(), 3U);
  for (const auto& gpu : plan["gpus"]) EXPECT_EQ(gpu["distance"], 2) << gpu;
  const auto os = nlohmann::json::parse(shell("STARPATH_PLACEMENT=os starpath placement --json " + kKeeneland).output);
  for (const auto& gpu : os["gpus"]) EXPECT_TRUE(gpu["core"].is_null()) << gpu;
  EXPECT_TRUE(os["variables"].empty());
}

TEST(PlacementCommand, GivesAShellWhatItMustSet) {
  const auto run = shell("eval \"$(starpath placement --env " + kKeeneland + ")\"; env | grep STARPU_WORKERS | sort");
  EXPECT_EQ(run.output, "STARPU_WORKERS_CPUID=0 6 7 1 2 3 4 5 8 9 10 11\nSTARPU_WORKERS_CUDAID=0 1 2\n");
}

TEST(PlacementCommand, EnvGivesItWithThePolicyWhenAsked) {
  const std::string recorded =
      "unset HWLOC_COMPONENTS; export HWLOC_XMLFILE=" STARPATH_SOURCE_DIR "/tests/machines/keeneland.xml; ";
  const std::string show =
      "; env | grep -E '^(STARPU_(SCHED|WORKERS_C)|STARPATH_PLACEMENT)' | grep -v SCHED_LIB | sort";
  const auto asked = shell(recorded + "eval \"$(starpath env pams --placement closest)\"" + show);
  EXPECT_EQ(asked.output,
            "STARPATH_PLACEMENT=closest\nSTARPU_SCHED=pams\nSTARPU_WORKERS_CPUID=0 6 7 1 2 3 4 5 8 9 10 11\n"
            "STARPU_WORKERS_CUDAID=0 1 2\n");
  EXPECT_EQ(shell(recorded + "eval \"$(starpath env pams)\"" + show).output, "STARPU_SCHED=pams\n");
  const auto fish = shell(recorded + "starpath env pams --placement closest --shell fish");
  EXPECT_NE(fish.output.find("set -gx STARPU_WORKERS_CUDAID '0 1 2';"), std::string::npos) << fish.output;
  const auto os = shell(recorded + "eval \"$(starpath env pams --placement os 2>/dev/null)\"" + show);
  EXPECT_EQ(os.output, "STARPATH_PLACEMENT=os\nSTARPU_SCHED=pams\n");
}

TEST(PlacementCommand, EnvSaysSoWhereThereIsNothingToSet) {
  const auto run = shell("HWLOC_XMLFILE=" STARPATH_SOURCE_DIR
                         "/tests/machines/one_socket.xml starpath env pams --placement closest");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("starpath: placement: StarPU is told nothing: there is no GPU"), std::string::npos)
      << run.output;
  EXPECT_EQ(shell("starpath env pams --placement near").code, 2);
}

TEST(PlacementCommand, SaysSoWhereThereIsNoGpu) {
  const auto run = shell("starpath placement --topology " STARPATH_SOURCE_DIR "/tests/machines/one_socket.xml");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("there is no GPU to place"), std::string::npos) << run.output;
}

TEST(PlacementCommand, WorksOnThisMachine) {
  const auto run = shell("starpath placement --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto plan = nlohmann::json::parse(run.output);
  EXPECT_GE(plan["cores"], 1);
  EXPECT_TRUE(plan["this_machine"]);
}

TEST(PlacementCommand, UsesOnlyTheCoresThatItMayUse) {
  const auto bound = shell("taskset -c 0 " STARPATH_PROGRAM " placement --json");
  if (bound.code == 127) GTEST_SKIP() << "taskset is not installed";
  ASSERT_EQ(bound.code, 0) << bound.output;
  EXPECT_EQ(nlohmann::json::parse(bound.output)["cores"], 1);
}

TEST(PlacementCommand, ABadValueIsOneLineAndTheDefault) {
  const auto run = shell("STARPATH_PLACEMENT=far starpath placement " + kKeeneland);
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("starpath: STARPATH_PLACEMENT='far' is not valid: expected closest, os or worst; using the "
                            "default closest\n"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("placement: closest"), std::string::npos);
}

TEST(PlacementCommand, AFileThatCannotBeReadIsCodeThree) {
  const auto run = shell("starpath placement --topology /nowhere.xml");
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.output.find("/nowhere.xml"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace starpath
