// Nuclei that networks and maps of others find, with what follows on OpenCL devices: the same bytes as on cores alone.
#include <fstream>

#include "tests/devices/devices.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

using test::devices;
using test::shell;

constexpr int kField = 64;

class FoundByOthers : public testing::Test {
 protected:
  void expect_the_bytes_of_cores(const std::string& command) const {
    SCOPED_TRACE(command);
    const test::DevicePipeline pipeline{"", command, {"nuclei.geojson", "nuclei.csv", "labels.tif"}};
    const std::string run = "starpath " + command + " --tile 400 --json --overwrite --out ";
    const auto on_cores = shell(run + folder_ / "cores" + " --gpus 0 --policy eager");
    ASSERT_EQ(on_cores.code, 0) << on_cores.output;
    EXPECT_GT(test::last_line(on_cores)["nuclei"].get<int>(), 60);
    for (const std::string policy : {"fcfs", "pats", "apex", "dmda"}) {
      SCOPED_TRACE(policy);
      const auto on_devices =
          shell(devices("basic pthread") + run + folder_ / "devices" + " --cpus 1 --gpus 2 --policy " + policy);
      ASSERT_EQ(on_devices.code, 0) << on_devices.output;
      EXPECT_GT(test::tasks_of(test::last_line(on_devices), "opencl"), 0) << on_devices.output;
      test::expect_same_files(pipeline, folder_ / "cores", folder_ / "devices");
    }
  }

  const test::TemporaryFolder folder_;
  const std::string slide_ = "synthetic:900x700,seed=7,mpp=0.5";
};

TEST_F(FoundByOthers, MapsOfLabelsAreMeasuredOnDevices) {
  const auto run = shell("starpath segment " + slide_ + " --gpus 0 --export labels --out " + folder_ / "segmented");
  ASSERT_EQ(run.code, 0) << run.output;
  expect_the_bytes_of_cores("instances " + folder_ / "segmented/labels.tif --kind labels --slide " + slide_);
}

#if STARPATH_RUNS_NETWORKS
TEST_F(FoundByOthers, NetworksComputeOnCoresAndTheRestOnDevices) {
  const auto write = [&](const support::OnnxModel& model, const std::string& description) {
    model.write(folder_ / "model.onnx");
    std::ofstream(folder_ / "model.toml") << description;
  };
  const std::string command = "segment " + slide_ + " --network " + folder_ / "model.onnx";
  write(support::darkness_model(kField), support::darkness_description(kField, 8));
  expect_the_bytes_of_cores(command);
  write(support::star_model(kField), support::star_description(kField, 12));
  expect_the_bytes_of_cores(command);
}
#endif

}  // namespace
}  // namespace starpath
