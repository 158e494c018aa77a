// The loops of `starpath loop` on devices: the serial loop's bits.
#include "tests/devices/devices.hpp"

namespace starpath {
namespace {

using test::devices;
using test::shell;

const char* const kLoops[] = {
    "increment --n 100001", "blackscholes --n 20001", "histogram --n 100001", "boxfilter --n 101", "nbody --n 501",
    "heat2d --n 401",       "strmatch --n 307",       "heart --n 61",         "knn --n 53",        "eclat --n 24"};

void expect_serial_bits(const std::string& environment, const std::string& options, const std::string& loop) {
  SCOPED_TRACE(loop);
  const auto run = shell(environment + "starpath loop --json " + options + " " + loop);
  ASSERT_EQ(run.code, 0) << run.output;
  const auto result = nlohmann::json::parse(run.output);
  EXPECT_EQ(result["identical"], true);
  EXPECT_GT(result["gpu_iterations"].get<int>(), 0);
}

TEST(LoopsOnDevices, HaveTheSerialBits) {
  for (const char* loop : kLoops) expect_serial_bits(devices("pthread"), "--cpus 1 --gpus 1", loop);
}

TEST(LoopsOnDevices, HaveTheSerialBitsOnTwoDevicesAlone) {
  for (const char* loop : kLoops) expect_serial_bits(devices("basic pthread"), "--cpus 0 --gpus 2", loop);
}

TEST(LoopsOnDevices, HaveTheSerialBitsWithCudaSources) {
  for (const char* loop :
       {"increment --n 2001", "blackscholes --n 501", "histogram --n 2001", "boxfilter --n 5", "nbody --n 61",
        "heat2d --n 61", "strmatch --n 61", "heart --n 9", "knn --n 5", "eclat --n 5"})
    expect_serial_bits("STARPATH_DEVICE_KERNELS=simt " + devices("pthread"), "--cpus 0 --gpus 1", loop);
}

}  // namespace
}  // namespace starpath
