// Limits that control groups set, in made-up file systems.
#include "base/cgroup.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/allowed_cores.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

class Cgroup : public ::testing::Test {
 protected:
  Cgroup() { write("proc/self/cgroup", ""); }
  ~Cgroup() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text << "\n";
  }
  std::int64_t limit() const {
    const auto found = cgroup_memory(root_);
    return found ? found->bytes : -1;
  }

  const fs::path root_ = fs::temp_directory_path() / ("starpath-cgroup-" + std::to_string(getpid()));
};

TEST_F(Cgroup, NoneIsNoLimit) {
  EXPECT_EQ(limit(), -1);
  EXPECT_FALSE(cgroup_memory(root_ / "nowhere"));
}

TEST_F(Cgroup, Version2TakesTheLowestOfTheGroupsAround) {
  write("proc/self/cgroup", "0::/slurm/job_7/step_0");
  write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max");
  EXPECT_EQ(limit(), -1);
  write("sys/fs/cgroup/slurm/job_7/memory.max", "2147483648");
  write("sys/fs/cgroup/slurm/memory.max", "9000000000");
  EXPECT_EQ(limit(), 2147483648);
  EXPECT_EQ(cgroup_memory(root_)->file, root_ / "sys/fs/cgroup/slurm/job_7/memory.max");
}

TEST_F(Cgroup, AContainerSeesItsOwnGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/memory.max", "1073741824");
  EXPECT_EQ(limit(), 1073741824);
}

TEST_F(Cgroup, Version1) {
  write("proc/self/cgroup", "5:devices:/a\n4:cpu,memory:/docker/abc\n0::/");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912");  // the host's path is not to be seen
  EXPECT_EQ(limit(), 536870912);
  write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "268435456");
  EXPECT_EQ(limit(), 268435456);
}

TEST_F(Cgroup, AQuotaIsTimeOfCores) {
  EXPECT_FALSE(cgroup_cpus(root_));
  write("proc/self/cgroup", "0::/pods/pod_1");
  write("sys/fs/cgroup/pods/pod_1/cpu.max", "max 100000");
  EXPECT_FALSE(cgroup_cpus(root_));
  write("sys/fs/cgroup/pods/pod_1/cpu.max", "150000 100000");
  EXPECT_EQ(cgroup_cpus(root_), 1.5);
  write("sys/fs/cgroup/pods/cpu.max", "50000 100000");
  EXPECT_EQ(cgroup_cpus(root_), 0.5) << "of the group around it";
  for (const char* text : {"", "200000", "200000 0", "-1 100000", "a b"}) {
    write("sys/fs/cgroup/pods/cpu.max", text);
    EXPECT_EQ(cgroup_cpus(root_), 1.5) << text;
  }
}

TEST_F(Cgroup, AQuotaOfAContainerAndOfVersion1) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "400000 100000");
  EXPECT_EQ(cgroup_cpus(root_), 4);
  write("proc/self/cgroup", "3:memory:/a\n4:cpu,cpuacct:/docker/abc");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(cgroup_cpus(root_));
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "250000");
  EXPECT_EQ(cgroup_cpus(root_), 2.5);
  write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "50000");  // as distributions link it
  write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "50000");
  EXPECT_EQ(cgroup_cpus(root_), 1);
}

TEST(AllowedCores, AreSomeAndNoMoreThanAreBound) {
  EXPECT_GE(allowed_cores(), 1);
  EXPECT_LE(allowed_cores(), bound_cores());
  EXPECT_GE(quota_cores(1), quota_cores(3));
  EXPECT_GE(quota_cores(1 << 30), 1);
}

TEST_F(Cgroup, WhatIsNoNumberIsNoLimit) {
  write("proc/self/cgroup", "nonsense\n:\n0::/a");
  write("sys/fs/cgroup/a/memory.max", "plenty");
  write("sys/fs/cgroup/memory.max", "-1");
  EXPECT_EQ(limit(), -1);
}

}  // namespace
}  // namespace starpath
