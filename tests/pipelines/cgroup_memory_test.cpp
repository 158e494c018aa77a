// Limits on memory that control groups set, in made-up file systems.
#include "pipelines/run/cgroup_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace starpath {
namespace {

namespace fs = std::filesystem;

class CgroupMemoryTest : public ::testing::Test {
 protected:
  CgroupMemoryTest() { write("proc/self/cgroup", ""); }
  ~CgroupMemoryTest() override { fs::remove_all(root_); }

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

TEST_F(CgroupMemoryTest, NoneIsNoLimit) {
  EXPECT_EQ(limit(), -1);
  EXPECT_FALSE(cgroup_memory(root_ / "nowhere"));
}

TEST_F(CgroupMemoryTest, Version2TakesTheLowestOfTheGroupsAround) {
  write("proc/self/cgroup", "0::/slurm/job_7/step_0");
  write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max");
  EXPECT_EQ(limit(), -1);
  write("sys/fs/cgroup/slurm/job_7/memory.max", "2147483648");
  write("sys/fs/cgroup/slurm/memory.max", "9000000000");
  EXPECT_EQ(limit(), 2147483648);
  EXPECT_EQ(cgroup_memory(root_)->file, root_ / "sys/fs/cgroup/slurm/job_7/memory.max");
}

TEST_F(CgroupMemoryTest, AContainerSeesItsOwnGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/memory.max", "1073741824");
  EXPECT_EQ(limit(), 1073741824);
}

TEST_F(CgroupMemoryTest, Version1) {
  write("proc/self/cgroup", "5:devices:/a\n4:cpu,memory:/docker/abc\n0::/");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912");  // the host's path is not to be seen
  EXPECT_EQ(limit(), 536870912);
  write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "268435456");
  EXPECT_EQ(limit(), 268435456);
}

TEST_F(CgroupMemoryTest, WhatIsNoNumberIsNoLimit) {
  write("proc/self/cgroup", "nonsense\n:\n0::/a");
  write("sys/fs/cgroup/a/memory.max", "plenty");
  write("sys/fs/cgroup/memory.max", "-1");
  EXPECT_EQ(limit(), -1);
}

}  // namespace
}  // namespace starpath
