// `starpath-lab --network` as a user runs it.
#include "tests/apps/command.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace starpath {
namespace {

using test::expect_says;
using test::shell;

nlohmann::json runs_of(const std::string& arguments) {
  const test::Outcome outcome = shell("starpath " + arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  nlohmann::json runs = nlohmann::json::parse(outcome.output)["runs"];
  for (nlohmann::json& run : runs) run.erase("wall_seconds");
  return runs;
}

constexpr const char* kPair =
    "--network anthill-heterogeneous --workload nbia --set tiles=400 --set recalc_rate=0.2 "
    "--nodes gpu=1 --nodes cpu=1 ";

TEST(NodesCommand, RunsRepeatAndDifferWithTheSeed) {
  const std::string arguments = std::string(kPair) + "--policy ddfcfs,ddwrr,odds --window 2,8";
  const nlohmann::json first = runs_of(arguments);
  ASSERT_EQ(first.size(), 5u) << "odds has no static window";
  EXPECT_EQ(first, runs_of(arguments));
  EXPECT_NE(first[0]["makespan"], runs_of(arguments + " --seed 2")[0]["makespan"]);
}

TEST(NodesCommand, TracesEveryTaskAndWindow) {
  const nlohmann::json run = runs_of(std::string(kPair) + "--policy odds --trace")[0];
  unsigned ran = 0;
  for (const auto& group : run["ran"])
    for (const auto& kind : group)
      for (const unsigned count : kind) ran += count;
  EXPECT_GT(ran, 400u);
  EXPECT_EQ(run["trace"]["tasks"].size(), ran);
  EXPECT_EQ(run["trace"]["windows"].size(), ran);
}

TEST(NodesCommand, NodesAndWorkersVaryAFile) {
  const std::string arguments =
      "--network keeneland-100 --workload segmentation --set tiles=8 --policy pats --nodes node=2";
  const nlohmann::json all = runs_of(arguments)[0];
  EXPECT_LT(all["makespan"], runs_of(arguments + " --workers node=9,0")[0]["makespan"]);
  EXPECT_GT(all["read_bytes"], 0);
  // That it is faster is not sure: under such a policy less work can take longer.
  EXPECT_EQ(runs_of(arguments + " --no-reading")[0]["read_bytes"], 0);
}

TEST(NodesCommand, CopiesAndLocalityAreOptions) {
  const std::string arguments =
      "--network keeneland-100 --workload segmentation --set tiles=30 --policy fcfs --nodes node=1 --window 19";
  const double ahead = runs_of(arguments)[0]["makespan"];
  EXPECT_EQ(runs_of(arguments + " --copies ahead")[0]["makespan"], ahead);
  EXPECT_NE(runs_of(arguments + " --copies around")[0]["makespan"], ahead);
  EXPECT_NE(runs_of(arguments + " --locality")[0]["makespan"], ahead);
}

TEST(NodesCommand, StudiesOfSlides) {
  const std::string arguments =
      "--network keeneland-100 --workload segmentation --policy pats --nodes node=4 --slides 12 --slide-tiles 5 ";
  const nlohmann::json runs = runs_of(arguments + "--hand-out slides,largest-first,tiles");
  ASSERT_EQ(runs.size(), 3u);
  for (const nlohmann::json& run : runs) {
    EXPECT_GE(run["study"]["over_bound"], 1);
    EXPECT_GE(run["study"]["tail"], 0);
    EXPECT_LT(run["study"]["tail"], 1);
  }
  EXPECT_LT(runs[2]["study"]["over_bound"], runs[0]["study"]["over_bound"]) << "a slide is not divided";
  expect_says(shell("starpath " + arguments), 0, {"12 slides of ", "no schedule takes less", "tail %"});
  expect_says(shell("starpath " + arguments + "--engine smpi"), 2, {"studies are simulated by events only"});
  expect_says(shell("starpath " + arguments + "--hand-out halves"), 2, {"--hand-out", "largest-first"});
  expect_says(shell("starpath " + arguments + "--slide-spread 4"), 2, {"a spread of 0 to 3"});
  expect_says(shell("starpath --network keeneland-100 --workload nbia --policy odds --slides 2"), 2,
              {"streams have no slides"});
}

TEST(NodesCommand, BadInputIsOneLine) {
  const std::string start = "starpath --workload nbia --set tiles=10 ";
  expect_says(shell(start + "--network nowhere --policy odds"), 2, {"no network 'nowhere'", "keeneland-100"});
  expect_says(shell(start + "--network keeneland-100 --policy pats"), 2, {"policy 'pats'", "ddfcfs, ddwrr, odds"});
  expect_says(shell(start + "--network keeneland-100 --policy odds --nodes gpu=2"), 2,
              {"no nodes 'gpu'", "it has node"});
  expect_says(shell(start + "--network keeneland-100 --policy odds --set tiles=1x"), 2,
              {"--set tiles=1x: expected NAME=NUMBER"});
  expect_says(shell(start + "--network keeneland-100 --policy odds --copies never"), 2, {"--copies", "around"});
  expect_says(shell(start + "--network anthill-homogeneous --policy odds --locality"), 2,
              {"streams send each buffer once"});
  expect_says(shell("starpath --workload segmentation --network keeneland-100 --policy eft --locality"), 2,
              {"policy 'eft' assigns tasks"});
  expect_says(shell(start + "--network keeneland-100 --policy odds --nodes node"), 2,
              {"--nodes node: expected GROUP=COUNT"});
  expect_says(shell(start + "--network keeneland-100 --policy odds --workers node=9,x"), 2,
              {"--workers node=9,x: expected GROUP=COUNT,COUNT,..."});
  expect_says(shell("f=$(mktemp --suffix .toml); printf '[network]\\nname = \"x\"\\nabout = \"y\"\\n' > $f; " + start +
                    "--policy odds --network $f; code=$?; rm $f; exit $code"),
              3, {".toml:1: network x has no 'latency'"});
  expect_says(shell("starpath --workload segmentation --set tiles=2 --network keeneland-100 --policy apex"), 2,
              {"policy 'apex' plans", "--engine smpi", "pams, odds, eft"});
  expect_says(shell("starpath --network"), 2, {"--network, --workload and --policy are needed"});
}

// The models anthill and anthill-homogeneous as they were written for Starpath 0.1.0.
constexpr const char* kOldMachine = R"(# A comment.
machine anthill
  about          One core that computes and one GPU of 2008
  cores          2       # source: anthill-2010 section 6: Core 2 Duo 2.13 GHz; one core manages the GPU
  core_speed     1.0     # assumed
  efficiency     1.0     # assumed: a single core computes
  host_GB_per_s  3.0     # assumed: about what "front-side-bus" memory gives

accelerator GeForce 8800 GT
  kind                  gpu
  count                 1      # source: anthill-2010 section 6
  memory_MiB            512    # source: a data sheet
  memory_GB_per_s       57.6   # source: a data sheet
  to_device_GB_per_s    1.5    # assumed
  from_device_GB_per_s  1.5    # assumed: as to the device
  latency_us            15     # assumed
)";
constexpr const char* kOldCluster = R"(cluster anthill-homogeneous
  about               Nodes with a GPU
  latency_us          60      # assumed
  link_GB_per_s       0.117   # assumed
  eager_KB            65.536  # assumed
  storage_latency_us  500     # assumed
  storage_GB_per_s    1.0     # assumed
  wire_share          0.25    # assumed

nodes gpu
  machine  FOLDER/anthill.toml
  count    14  # assumed
)";

TEST(NodesCommand, FilesOfVersion010AreRefusedAndConverted) {
  const test::TemporaryFolder folder;
  const std::string machine = folder / "anthill.machine", cluster = folder / "old.cluster";
  std::string text = kOldCluster;
  text.replace(text.find("FOLDER"), 6, folder / "");
  std::ofstream(machine) << kOldMachine;
  std::ofstream(cluster) << text;
  const std::string run = " --workload nbia --set tiles=300 --nodes gpu=2 --policy odds,ddwrr";
  expect_says(shell("starpath --network " + cluster + run), 3,
              {"old.cluster:1: a model file of Starpath 0.1.0", "scripts/lab-models-to-toml.py"});
  const test::Outcome converted = shell(STARPATH_LAB_CONVERTER " " + machine + " " + cluster);
  if (converted.code == 127) GTEST_SKIP() << "there is no python3";
  ASSERT_EQ(converted.code, 0) << converted.output;
  EXPECT_EQ(runs_of("--network anthill-homogeneous" + run), runs_of("--cluster " + (folder / "old.toml") + run))
      << "the option has its old name too";
  std::ofstream(machine) << "machine bad\n  cores 3\n";
  expect_says(shell(STARPATH_LAB_CONVERTER " " + machine), 1, {"anthill.machine:2: 'cores 3' does not say where"});
}

TEST(NodesCommand, HelpTeaches) {
  expect_says(shell("starpath --help"), 0, {"starpath-lab --network"});
  expect_says(shell("starpath --network --help"), 0, {"Examples:", "--window", "Manager-Worker", "Exit codes:"});
}

}  // namespace
}  // namespace starpath
