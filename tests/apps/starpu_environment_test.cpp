// Values in the environment at which StarPU itself would end the process with a stack trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "base/allowed_cores.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

std::string under(const std::string& variable, const TemporaryFolder& folder) {
  return variable + " starpath segment synthetic:100x100 --quiet --export none --out " + folder / "out";
}

TEST(StarpuEnvironment, ValuesThatStarpuCannotUseAreNamed) {
  const TemporaryFolder folder;
  for (const std::string variable :
       {"STARPU_NCPU=abc", "STARPU_NCPU=-1", "STARPU_NCUDA=x", "STARPU_WORKERS_CPUID=abc", "STARPU_WORKERS_CPUID=''",
        "STARPU_MEMORY_STATS=abc", "STARPU_WATCHDOG_TIMEOUT=abc", "STARPU_WATCHDOG_TIMEOUT=0"}) {
    const std::string name = variable.substr(0, variable.find('='));
    expect_one_line(shell(under(variable, folder)), 7, {name, "StarPU takes"});
  }
}

TEST(StarpuEnvironment, AHomeThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "no folder";
  for (const std::string& home : {folder / "file", std::string("/proc")})
    for (const char* policy : {"pats", "dmda"})
      expect_one_line(shell(under("unset XDG_CACHE_HOME; STARPU_HOME=" + home, folder) + " --policy " + policy), 7,
                      {"STARPU_HOME=" + home, "set STARPU_HOME"});
}

TEST(StarpuEnvironment, WithoutAHomeStarpuHasAFolderOfItsOwn) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "tmp");
  std::filesystem::create_directories(folder / "run");
  std::filesystem::permissions(folder / "run", std::filesystem::perms::owner_all);
  std::ofstream(folder / "file") << "no folder";
  const std::string bare =
      "unset XDG_CACHE_HOME STARPU_HOME XDG_RUNTIME_DIR HOME; export TMPDIR=" + folder / "tmp" + "; ";
  const std::pair<std::string, std::string> cases[] = {
      {bare, "HOME is not set"},
      {bare + "export HOME=" + folder / "file" + "; ", "HOME=" + folder / "file"},
      {bare + "export XDG_RUNTIME_DIR=" + folder / "run" + "; ", "HOME is not set"}};
  for (const auto& [environment, reason] : cases) {
    const auto run = shell(environment + under("", folder) + " --policy dmda --overwrite");
    test::expect_says(run, 0, {"starpath: warning: " + reason, "StarPU keeps its models in " + folder / ""});
    const std::string told = "StarPU keeps its models in ";
    EXPECT_EQ(run.output.find(told), run.output.rfind(told)) << "told once: " << run.output;
    EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp")) << "a predictable or abandoned folder";
  }
  EXPECT_TRUE(std::filesystem::is_directory(folder / "run/starpath/.starpu/sampling"));
}

// What no table of variables foresees: StarPU and hwloc print a stack trace and end the process.
TEST(StarpuEnvironment, AnEndInsideStarpuIsOneLine) {
  const TemporaryFolder folder;
  for (const auto& [variable, word] :
       {std::pair<std::string, const char*>{"HWLOC_COMPONENTS=-linux,-x86,stop STARPATH_PLACEMENT=os",
                                            "wloc"},  // hwloc's words, or StarPU's where it has none
        {"STARPU_HOSTNAME=a/b", "No such file"},
        {"STARPU_PERF_MODEL_PATH=/none STARPU_HOSTNAME=a/b", "No such file"},  // StarPU warns first
        {"STARPU_LIMIT_BANDWIDTH=abc", "STARPU_LIMIT_BANDWIDTH"},
        {"STARPU_LIMIT_BANDWIDTH=-1", "cannot be negative"},
        {"STARPU_IDLE_POWER=abc", "STARPU_IDLE_POWER"},
        {"STARPU_BACKOFF_MAX=-1", "cannot be negative"},
        {"STARPU_TRACE_BUFFER_SIZE=abc", "must contain an integer"}}) {
    const auto run = shell("export " + variable + "; " + under("", folder) + " --overwrite --policy dmda");
    expect_one_line(run, 7, {word, "check the STARPU_ and HWLOC_ variables"});
  }
}

// hwloc would go on with this machine, or StarPU end the process, by hwloc's version and where the workers are bound.
TEST(StarpuEnvironment, AMachineThatHwlocCannotReadIsRefused) {
  const TemporaryFolder folder;
  std::ofstream(folder / "text") << "no topology";
  std::ifstream in(STARPATH_SOURCE_DIR "/tests/machines/keeneland.xml");
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  std::ofstream(folder / "cut.xml") << whole.substr(0, whole.size() / 2);
  const std::string cut = folder / "cut.xml", text = folder / "text";
  for (const std::string& variable :
       {"HWLOC_XMLFILE=" + text, "HWLOC_XMLFILE=" + cut, std::string("HWLOC_XMLFILE=/none"),
        "STARPU_HWLOC_INPUT=" + cut, std::string("STARPU_HWLOC_INPUT=/none"), std::string("HWLOC_SYNTHETIC=abc"),
        "HWLOC_FSROOT=" + text, std::string("HWLOC_FSROOT=/etc")})
    for (const std::string placement : {"os", "closest"}) {
      const auto run = shell("unset HWLOC_COMPONENTS; export " + variable + " STARPATH_PLACEMENT=" + placement + "; " +
                             under("", folder) + " --overwrite --policy dmda");
      expect_one_line(run, 7, {variable, "mend or unset it"});
    }
}

TEST(StarpuEnvironment, WhatStarpuTakesIsTaken) {
  const TemporaryFolder folder;
  for (const std::string variable : {"STARPU_NCPU=1", "STARPU_WORKERS_CPUID='0-'", "STARPU_WORKERS_CPUID='0 1'",
                                     "HWLOC_FSROOT=/", "HWLOC_XMLFILE="}) {
    const auto run = shell(under(variable, folder) + " --overwrite");
    EXPECT_EQ(run.code, 0) << variable << run.output;
  }
}

/// CPU workers of a run as `run` says them, or -1.
int cpu_workers_of(const test::Outcome& run) {
  std::smatch found;
  EXPECT_EQ(run.code, 0) << run.output;
  if (!std::regex_search(run.output, found, std::regex(R"("workers":\{"cpu":(\d+))"))) return -1;
  return std::stoi(found[1]);
}

// libgomp comes in through StarPU, and binds the first thread before main.
TEST(StarpuEnvironment, VariablesOfOpenMPLeaveTheCoresThatWereGiven) {
  const int cores = bound_cores();
  if (cores < 2) GTEST_SKIP() << "one core";
  const TemporaryFolder folder;
  const std::string run = "starpath segment synthetic:100x100 --json --export none --overwrite --out " + folder / "out";
  for (const std::string variables :
       {"OMP_PROC_BIND=true", "OMP_PROC_BIND=close OMP_PLACES=cores", "OMP_PROC_BIND=spread OMP_PLACES=threads",
        "OMP_PROC_BIND=master", "OMP_PLACES={0}", "GOMP_CPU_AFFINITY=0", "GOMP_CPU_AFFINITY=0-1:1",
        "OMP_PROC_BIND=false"}) {
    const auto all = shell(variables + " " + run);
    EXPECT_EQ(cpu_workers_of(all), cpu_workers_of(shell(run))) << variables;
    EXPECT_EQ(all.output.find("libgomp"), std::string::npos) << all.output;
    EXPECT_EQ(cpu_workers_of(shell(variables + " " + run + " --cpus 2")), 2) << variables;
    EXPECT_EQ(cpu_workers_of(shell("export " + variables + "; taskset -c 1 " STARPATH_PROGRAM + run.substr(8))), 1)
        << "more than was given, under " << variables;
  }
}

// As in a container, where the kernel shows the container's group as the root.
TEST(StarpuEnvironment, AQuotaOnProcessorTimeCountsAsCores) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "group");
  std::ofstream(folder / "group/cpu.max") << "50000 100000\n";
  const std::string within = "unshare -m bash -c 'mount --bind " + folder / "group" + " /sys/fs/cgroup && ";
  if (shell(within + "grep -q ^0:: /proc/self/cgroup'").code != 0 || bound_cores() < 2)
    GTEST_SKIP() << "no right to mount, no cgroups of version 2, or one core";
  const std::string run =
      STARPATH_PROGRAM " segment synthetic:100x100 --json --export none --overwrite --out " + folder / "out";
  EXPECT_EQ(cpu_workers_of(shell(within + run + "'")), 1);
  EXPECT_EQ(cpu_workers_of(shell(within + run + " --cpus 2'")), 2) << "what is asked for";
  EXPECT_EQ(cpu_workers_of(shell(within + "STARPU_NCPU=2 " + run + "'")), 2);
}

TEST(StarpuEnvironment, APolicyThatStartsNothingIsNotOffered) {
  const TemporaryFolder folder;
  expect_one_line(shell(under("", folder) + " --policy graph_test"), 2, {"unknown policy 'graph_test'"});
}

}  // namespace
}  // namespace starpath
