// The format of model files: what is wrong is said with file, line and reason.
#include "lab/model_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

constexpr const char* kMachine = R"(# a comment
[machine]
name = "small"
about = "For tests"
cores = { value = 4, assumed = true }
core_speed = { value = 1, assumed = true }
efficiency = { value = 1, assumed = "a guess" }
host_bandwidth = { value = 10, unit = "GB/s", assumed = true }
[[accelerator]]
name = "Card"
kind = "gpu"
count = { value = 1, assumed = true }
memory = { value = 1024, unit = "MiB", source = "a data sheet" }
memory_bandwidth = { value = 100, unit = "GB/s", assumed = true }
to_device_bandwidth = { value = 5, unit = "GB/s", assumed = true }
from_device_bandwidth = { value = 5, unit = "GB/s", assumed = true }
latency = { value = 10, unit = "us", assumed = true }
)";

/// The message for the text with `from` replaced by `to`.
std::string machine_error(const std::string& from, const std::string& to) {
  std::string text = kMachine;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  try {
    read_machine(ModelFile("m.toml", text));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_file(const std::filesystem::path& path) {
  try {
    const ModelFile file(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

TEST(ModelFile, ReadsAMachine) {
  const LabMachine machine = read_machine(ModelFile("m.toml", kMachine));
  EXPECT_EQ(machine.name, "small");
  EXPECT_EQ(machine.cpu_workers(), 3u);
  EXPECT_EQ(machine.workers(), (std::vector<unsigned>{3, 1}));
  EXPECT_EQ(machine.class_names(), (std::vector<std::string>{"cpu", "Card"}));
  EXPECT_DOUBLE_EQ(machine.accelerators[0].to_device, 5e9);
  EXPECT_DOUBLE_EQ(machine.accelerators[0].latency, 1e-5);
}

TEST(ModelFile, SaysFileLineAndReason) {
  EXPECT_EQ(machine_error("cores = { value = 4, assumed = true }\n", ""), "m.toml:2: machine small has no 'cores'");
  EXPECT_EQ(machine_error("value = 4", "value = \"four\""),
            "m.toml:5: 'cores' is 'four': expected a number from 1 to 1024");
  EXPECT_EQ(machine_error("value = 4", "value = 0"), "m.toml:5: 'cores' is 0: expected a number from 1 to 1024");
  EXPECT_EQ(machine_error("value = 4", "value = nan"), "m.toml:5: 'cores' is nan: expected a number from 1 to 1024");
  EXPECT_EQ(machine_error("value = 4", "value = 2.5"), "m.toml:5: 'cores' is 2.5: expected a whole number");
  EXPECT_EQ(machine_error("efficiency =", "eficiency ="), "m.toml:2: machine small has no 'efficiency'");
  EXPECT_EQ(machine_error("\"For tests\"", "\"For tests\"\ncolour = \"red\""),
            "m.toml:5: unknown key 'colour' in machine small");
  EXPECT_EQ(machine_error("\"For tests\"", "3"), "m.toml:4: 'about' is 3: expected a text");
  EXPECT_EQ(machine_error("[[accelerator]]", "[[device]]"),
            "m.toml:9: unknown section 'device': expected machine or accelerator");
  EXPECT_EQ(machine_error("\"gpu\"", "\"fpga\""), "m.toml:9: kind 'fpga': expected gpu or mic");
  EXPECT_EQ(machine_error("count = { value = 1", "count = { value = 9"),
            "m.toml:2: 9 accelerators, but 4 cores: each needs one that drives it");
  EXPECT_EQ(machine_error("# a comment", "cores = 3"), "m.toml:1: 'cores' stands before any section such as [machine]");
  EXPECT_EQ(machine_error("name = \"small\"\n", ""), "m.toml:2: [machine] has no name: expected name = \"...\"");
}

TEST(ModelFile, ANumberSaysItsUnitAndWhereItIsFrom) {
  const std::string advice =
      "m.toml:5: 'cores' does not say where the number is from: write cores = { value = 4, source = \"...\" }, or "
      "assumed = \"...\"";
  EXPECT_EQ(machine_error("{ value = 4, assumed = true }", "4"), advice);
  EXPECT_EQ(machine_error("{ value = 4, assumed = true }", "{ value = 4 }"), advice);
  for (const char* note : {"sourced = \"a book\"", "source = true", "source = \"\"", "assumed = false"}) {
    const std::string message = machine_error("value = 4, assumed = true", "value = 4, " + std::string(note));
    EXPECT_TRUE(message.starts_with("m.toml:5: 'cores' has " + std::string(note).substr(0, 6))) << message;
    EXPECT_TRUE(message.ends_with(": expected value, unit, and source or assumed with a text")) << message;
  }
  EXPECT_EQ(machine_error("unit = \"MiB\"", "unit = \"GiB\""),
            "m.toml:13: 'memory' has the unit GiB: expected unit = \"MiB\"");
  EXPECT_EQ(machine_error("unit = \"MiB\", ", ""), "m.toml:13: 'memory' has no unit: expected unit = \"MiB\"");
  EXPECT_EQ(machine_error("value = 4,", "value = 4, unit = \"s\","), "m.toml:5: 'cores' has the unit s: expected none");
}

TEST(ModelFile, WhatIsNoTomlIsSaidWithItsLine) {
  const auto begins = [](const std::string& message, const std::string& start) {
    EXPECT_TRUE(message.starts_with(start)) << message;
    EXPECT_GT(message.size(), start.size());
  };
  begins(machine_error("cores = { value = 4, assumed = true }", "cores = 4\ncores = 5"), "m.toml:6: ");
  begins(machine_error("[[accelerator]]", "[machine]"), "m.toml:9: ");
  begins(machine_error("value = 4, ", "value = four, "), "m.toml:5: ");
  const std::string quoted = machine_error("value = 4, ", "value = n\nan");  // toml++ quotes what it saw
  EXPECT_TRUE(quoted.starts_with("m.toml:5: ") && quoted.find('\n') == std::string::npos) << quoted;
  EXPECT_EQ(machine_error(kMachine, "# a comment\nmachine small\n  cores 4  # assumed\n"),
            "m.toml:2: a model file of Starpath 0.1.0; scripts/lab-models-to-toml.py FILE converts it to TOML");
}

TEST(ModelFile, AnEmptyOrMissingFileIsAnError) {
  EXPECT_THROW(ModelFile("empty", ""), Error);
  EXPECT_EQ(error_of_file("/dev/null"), "/dev/null:1: there is nothing in this file");
  EXPECT_EQ(error_of_file("/nowhere/at/all"),
            "/nowhere/at/all: cannot be read (No such file or directory); check the path");
  EXPECT_EQ(error_of_file("/proc"), "/proc: cannot be read (Is a directory); check the path");
}

TEST(ModelFile, UnknownModelsAreListed) {
  try {
    find_model(STARPATH_LAB_MODELS, "machine", "cray");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "there is no machine 'cray': there are anthill, h100, keeneland, mixed, stampede; or "
                 "give a file (*.toml)");
  }
  EXPECT_THROW(find_model("", "machine", "/nowhere/at/all.toml"), Error);
}

TEST(ModelFile, AWorkloadNamesWhatItsShapeLacks) {
  const auto error = [](const char* text) -> std::string {
    try {
      read_workload(ModelFile("w.toml", text));
    } catch (const Error& problem) {
      return problem.what();
    }
    return "no error";
  };
  EXPECT_EQ(
      error("[workload]\nname = 'w'\nabout = 'x'\nshape = 'ring'\n"),
      "w.toml:1: shape 'ring': expected one of nbia, nbia-sizes, segmentation, tile, independent, chains, "
      "cholesky, random-dag, layered, fork-join, reduction, gather, stencil, divide, wavefront, vector-increment");
  EXPECT_EQ(error("[workload]\nname = 'w'\nabout = 'x'\nshape = 'nbia'\n"), "w.toml:1: workload w has no 'tiles'");
}

/// The error of a file of the shape `tile` with this data and these tasks, without the place of the line in the file.
std::string error_of_tile(const std::string& data_and_tasks) {
  std::string text = "[workload]\nname = 'w'\nabout = 'x'\nshape = 'tile'\n";
  for (const char* key : {"tiles", "window", "reference_core_speed", "content_spread", "device_spread", "known_spread"})
    text += std::string(key) + " = {value = 1, assumed = true}\n";
  for (const char* kind : {"gpu", "mic"})
    text += std::string("reference_") + kind + "_bandwidth = {value = 100, unit = 'GB/s', assumed = true}\n";
  try {
    read_workload(ModelFile("w.toml", text + data_and_tasks));
  } catch (const Error& problem) {
    const std::string reason = problem.what();
    return reason.substr(reason.find(": ") + 2);
  }
  return "no error";
}

std::string task(const std::string& name, const std::string& accesses) {
  return "[[task]]\nname = '" + name +
         "'\ncore_time = {value = 1, unit = 'ms', assumed = true}\ngpu = {value = 2, assumed = true}\n"
         "mic = {value = 2, assumed = true}\n" +
         accesses + "\n";
}

TEST(ModelFile, ATileSaysWhichTaskReadsWhat) {
  const std::string data = "[[data]]\nname = 'pixels'\nsize = {value = 1, unit = 'MB', assumed = true}\n";
  const std::string read = task("read", "writes = ['pixels']");
  EXPECT_EQ(error_of_tile(data + read + task("measure", "reads = ['pixels']")), "no error");
  EXPECT_EQ(error_of_tile(data), "shape tile needs a section [[task]] for each task of a tile");
  EXPECT_EQ(error_of_tile(read), "task read writes 'pixels', but there is no section [[data]] with this name");
  EXPECT_EQ(error_of_tile(data + data + read), "a second piece of data is named 'pixels'");
  EXPECT_EQ(error_of_tile(data + task("measure", "reads = ['pixels']") + read),
            "task measure reads 'pixels', which no task before it writes");
  EXPECT_EQ(error_of_tile(data + read + task("again", "writes = ['pixels']")),
            "task again writes 'pixels', which another task writes");
  EXPECT_EQ(
      error_of_tile(
          data + read +
          task("many", "reads = ['pixels','pixels','pixels','pixels','pixels','pixels','pixels','pixels','pixels']")),
      "task many reads and writes 9 pieces of data: StarPU allows 8");
}

}  // namespace
}  // namespace starpath::lab
