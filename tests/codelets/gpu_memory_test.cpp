// Whether a GPU has room for a tile.
#include "codelets/kernels/gpu_memory.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

/// A device with so much memory.
struct Device {
  std::int64_t left;

  Scratch scratch() { return Scratch({allocate, release, this}); }
  bool set_aside(Scratch& from, std::int64_t kPixels) {
    return set_memory_aside(from, gpu_scratch_bytes(kPixels), kPixels, [this] { return left; });
  }

  static void* allocate(void* self, std::size_t bytes) {
    auto& device = *static_cast<Device*>(self);
    if (device.left < static_cast<std::int64_t>(bytes)) return nullptr;
    device.left -= static_cast<std::int64_t>(bytes);
    return std::aligned_alloc(64, bytes);
  }
  static void release(void* self, void* data, std::size_t bytes) {
    static_cast<Device*>(self)->left += static_cast<std::int64_t>(bytes);
    std::free(data);
  }
};

constexpr std::int64_t kPixels = std::int64_t{1} << 20;
const auto kScratchBytes = static_cast<std::int64_t>(gpu_scratch_bytes(kPixels));

TEST(GpuMemory, IsSetAsideOnce) {
  Device device{kScratchBytes + gpu_image_bytes(kPixels)};
  Scratch scratch = device.scratch();
  EXPECT_TRUE(device.set_aside(scratch, kPixels));
  EXPECT_EQ(device.left, gpu_image_bytes(kPixels));
  EXPECT_TRUE(device.set_aside(scratch, kPixels));
  EXPECT_EQ(device.left, gpu_image_bytes(kPixels));
}

TEST(GpuMemory, MayNotHoldTheScratch) {
  Device device{kScratchBytes - 1};
  Scratch scratch = device.scratch();
  EXPECT_FALSE(device.set_aside(scratch, kPixels));
  EXPECT_EQ(device.left, kScratchBytes - 1);
  EXPECT_TRUE(device.set_aside(scratch, kPixels / 4));
}

TEST(GpuMemory, MayNotHoldTheImagesBesideTheScratch) {
  Device device{kScratchBytes + gpu_image_bytes(kPixels) - 1};
  Scratch scratch = device.scratch();
  EXPECT_FALSE(device.set_aside(scratch, kPixels));
  EXPECT_TRUE(device.set_aside(scratch, kPixels / 4));
}

TEST(GpuMemory, OfUnknownSizeIsEnough) {
  Scratch scratch;
  EXPECT_TRUE(set_memory_aside(scratch, 100, kPixels, [] { return std::int64_t{-1}; }));
}

}  // namespace
}  // namespace starpath
