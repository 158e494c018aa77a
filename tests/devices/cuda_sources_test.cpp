// The CUDA sources of both pipelines and of the loops, through the SIMT host runtime, in the worker of a device: on
// small images, as a thread of a GPU is a fiber there.
#include "tests/devices/devices.hpp"

namespace starpath {
namespace {

using test::devices;
using test::shell;

void expect_the_bytes_of_cores(const test::DevicePipeline& pipeline, const std::string& policy) {
  const test::TemporaryFolder folder;
  const std::string run = "starpath " + pipeline.command + " --json --out ";
  const auto on_cores = shell(run + folder / "cores" + " --gpus 0 --policy eager");
  ASSERT_EQ(on_cores.code, 0) << on_cores.output;
  const auto on_devices = shell("STARPATH_DEVICE_KERNELS=simt " + devices("basic basic") + run + folder / "devices" +
                                " --cpus 1 --gpus 2 --policy " + policy);
  ASSERT_EQ(on_devices.code, 0) << on_devices.output;
  EXPECT_GT(test::tasks_of(test::last_line(on_devices), "opencl"), 0) << on_devices.output;
  test::expect_same_files(pipeline, folder / "cores", folder / "devices");
}

TEST(CudaSources, SegmentOnDevices) {
  test::DevicePipeline small = test::kSegmentation;
  for (const std::string detector : {"learned", "levels"}) {
    small.command = "segment synthetic:256x192,seed=5 --tile 128 --halo 32 --detector " + detector;
    for (const std::string policy : {"fcfs", "apex"}) expect_the_bytes_of_cores(small, policy);
  }
}

TEST(CudaSources, ClassifyStromaOnDevices) {
  test::DevicePipeline small = test::kNbia;
  small.command = "nbia run synthetic:1536x1024,pattern=stroma,seed=5 --recalc-rate 1";
  for (const std::string policy : {"fcfs", "apex"}) expect_the_bytes_of_cores(small, policy);
}

}  // namespace
}  // namespace starpath
