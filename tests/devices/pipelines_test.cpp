// Both pipelines, with both detectors, with tasks on OpenCL devices: the same bytes as on cores alone.
#include <chrono>
#include <csignal>
#include <string>

#include "tests/devices/devices.hpp"

namespace starpath {
namespace {

using test::devices;
using test::shell;

class OnDevices : public testing::TestWithParam<test::DevicePipeline> {
 protected:
  std::string out(const std::string& name) const { return folder_ / name; }
  std::string run_of(const std::string& options, const std::string& name) const {
    return "starpath " + GetParam().command + " " + options + " --json --out " + out(name);
  }
  void SetUp() override {
    const auto run = shell(run_of("--gpus 0 --policy eager", "cores"));
    ASSERT_EQ(run.code, 0) << run.output;
    ASSERT_EQ(test::tasks_of(test::last_line(run), "opencl"), 0);
  }
  /// Runs with tasks on devices, whose results must be those of cores.
  void expect_the_same(const std::string& environment, const std::string& options, const std::string& name) const {
    const auto run = shell(environment + run_of(options, name));
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_GT(test::tasks_of(test::last_line(run), "opencl"), 0) << run.output;
    test::expect_same_files(GetParam(), out("cores"), out(name));
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_P(OnDevices, SameBytesUnderEveryPolicy) {
  for (const std::string& policy : test::policies()) {
    SCOPED_TRACE(policy);
    expect_the_same(devices("pthread"), "--cpus 1 --gpus 1 --policy " + policy, policy);
  }
}

TEST_P(OnDevices, SameBytesOnTwoDevicesUnderEveryPolicy) {
  for (const std::string& policy : test::policies()) {
    SCOPED_TRACE(policy);
    expect_the_same(devices("basic pthread"), "--cpus 1 --gpus 2 --policy " + policy, policy);
  }
}

TEST_P(OnDevices, SameBytesWhenPoliciesLookAhead) {
  for (const std::string policy : {"fcfs", "ddwrr", "pats", "pams", "odds", "apex"}) {
    SCOPED_TRACE(policy);
    expect_the_same("STARPATH_LOCALITY=on STARPATH_PREFETCH=adaptive " + devices("basic basic"),
                    "--cpus 1 --gpus 2 --policy " + policy, policy);
  }
}

// Memory for a few tiles only: StarPU writes back and evicts.
TEST_P(OnDevices, SameBytesWithLittleMemory) {
  for (const std::string policy : {"pats", "apex", "dmda"}) {
    SCOPED_TRACE(policy);
    expect_the_same("STARPATH_LOCALITY=on STARPATH_PREFETCH=8 STARPU_LIMIT_OPENCL_MEM=24 " + devices("pthread"),
                    "--cpus 1 --gpus 1 --policy " + policy, policy);
  }
}

TEST_P(OnDevices, SameBytesAfterAKill) {
  for (const std::string policy : {"pats", "apex"}) {
    SCOPED_TRACE(policy);
    const std::string environment = devices("pthread"), options = "--cpus 1 --gpus 1 --policy " + policy;
    const auto began = std::chrono::steady_clock::now();
    expect_the_same(environment, options, policy + "-whole");
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
    bool killed = false;
    for (const double share : {0.5, 0.7, 0.8, 0.9}) {
      const std::string after = std::to_string(share * whole.count());
      const auto run = shell(environment + "timeout --signal=KILL " + after + " " STARPATH_PROGRAM " " +
                             GetParam().command + " " + options + " --resume --out " + out(policy));
      killed |= run.code == 128 + SIGKILL;
    }
    EXPECT_TRUE(killed);
    const auto run = shell(environment + run_of(options + " --resume", policy));
    ASSERT_EQ(run.code, 0) << run.output;
    test::expect_same_files(GetParam(), out("cores"), out(policy));
  }
}

#ifdef STARPATH_MPIRUN
TEST_P(OnDevices, SameBytesOnTwoRanks) {
  const auto run = shell(devices("pthread") +
                         "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 " STARPATH_MPIRUN
                         " -n 2 --oversubscribe " STARPATH_PROGRAM " " +
                         GetParam().command + " --cpus 1 --gpus 1 --out " + out("ranks"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("opencl"), std::string::npos) << run.output;
  test::expect_same_files(GetParam(), out("cores"), out("ranks"));
}
#endif

INSTANTIATE_TEST_SUITE_P(Devices, OnDevices, testing::Values(test::kSegmentation, test::kLevels, test::kNbia),
                         test::name_of_pipeline);

}  // namespace
}  // namespace starpath
