// The format of model files: what is wrong is said with file, line and reason.
#include "lab/model_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

constexpr const char* kMachine = R"(# a comment
machine small
  about          For tests
  cores          4     # assumed
  core_speed     1     # assumed
  efficiency     1     # assumed
  host_GB_per_s  10    # assumed
accelerator Card
  kind                  gpu
  count                 1     # assumed
  memory_MiB            1024  # source: a data sheet
  memory_GB_per_s       100   # assumed
  to_device_GB_per_s    5     # assumed
  from_device_GB_per_s  5     # assumed
  latency_us            10    # assumed
)";

/// The message for the text with `from` replaced by `to`.
std::string machine_error(const std::string& from, const std::string& to) {
  std::string text = kMachine;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  try {
    read_machine(ModelFile("m.machine", text));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModelFile, ReadsAMachine) {
  const LabMachine machine = read_machine(ModelFile("m.machine", kMachine));
  EXPECT_EQ(machine.name, "small");
  EXPECT_EQ(machine.cpu_workers(), 3u);
  EXPECT_EQ(machine.workers(), (std::vector<unsigned>{3, 1}));
  EXPECT_EQ(machine.class_names(), (std::vector<std::string>{"cpu", "Card"}));
  EXPECT_DOUBLE_EQ(machine.accelerators[0].to_device, 5e9);
  EXPECT_DOUBLE_EQ(machine.accelerators[0].latency, 1e-5);
}

TEST(ModelFile, SaysFileLineAndReason) {
  EXPECT_EQ(machine_error("  cores          4     # assumed\n", ""), "m.machine:2: machine small has no 'cores'");
  EXPECT_EQ(machine_error("cores          4", "cores          four"),
            "m.machine:4: 'cores four': expected a number from 1 to 1024");
  EXPECT_EQ(machine_error("cores          4", "cores          2.5"),
            "m.machine:4: 'cores 2.5': expected a whole number");
  EXPECT_EQ(machine_error("cores          4     # assumed", "cores          4"),
            "m.machine:4: 'cores 4' does not say where the number is from: end the line with '# source: ...' or '# "
            "assumed'");
  EXPECT_EQ(machine_error("  efficiency     1 ", "  eficiency      1 "),
            "m.machine:2: machine small has no 'efficiency'");
  EXPECT_EQ(machine_error("  about          For tests", "  about          For tests\n  colour red"),
            "m.machine:4: unknown key 'colour' in machine small");
  EXPECT_EQ(machine_error("accelerator Card", "device Card"),
            "m.machine:8: unknown section 'device': expected machine or accelerator");
  EXPECT_EQ(machine_error("kind                  gpu", "kind                  fpga"),
            "m.machine:8: kind 'fpga': expected gpu or mic");
  EXPECT_EQ(machine_error("count                 1 ", "count                 9 "),
            "m.machine:2: 9 accelerators, but 4 cores: each needs one that drives it");
  EXPECT_EQ(machine_error("  cores          4     # assumed", "  cores 4 # assumed\n  cores 5 # assumed"),
            "m.machine:5: 'cores' is given twice (first in line 4)");
  EXPECT_EQ(machine_error("# a comment", "  cores 3"), "m.machine:1: 'cores' stands before any section");
  EXPECT_EQ(machine_error("# a comment", "machine"), "m.machine:1: 'machine' has no value");
}

TEST(ModelFile, AnEmptyOrMissingFileIsAnError) {
  EXPECT_THROW(ModelFile("empty", ""), Error);
  EXPECT_THROW(ModelFile(std::filesystem::path("/nowhere/at/all")), Error);
}

TEST(ModelFile, UnknownModelsAreListed) {
  try {
    find_model(std::filesystem::path(STARPATH_LAB_MODELS) / "machines", ".machine", "cray");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "there is no machine 'cray': there are anthill, h100, keeneland, mixed, stampede; or "
                 "give a file (*.machine)");
  }
  EXPECT_THROW(find_model("", ".machine", "/nowhere/at/all.machine"), Error);
}

TEST(ModelFile, AWorkloadNamesWhatItsShapeLacks) {
  const auto error = [](const char* text) -> std::string {
    try {
      read_workload(ModelFile("w.workload", text));
    } catch (const Error& problem) {
      return problem.what();
    }
    return "no error";
  };
  EXPECT_EQ(
      error("workload w\n  about x\n  shape ring\n"),
      "w.workload:1: shape 'ring': expected one of nbia, nbia-sizes, segmentation, independent, chains, cholesky, "
      "random-dag, vector-increment");
  EXPECT_EQ(error("workload w\n  about x\n  shape nbia\n"), "w.workload:1: workload w has no 'tiles'");
}

}  // namespace
}  // namespace starpath::lab
