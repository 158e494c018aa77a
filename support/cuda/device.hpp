// Where kernel sources are tested: in the SIMT host runtime (tests/cuda/device_simt.cpp) or on a GPU (device_cuda.cpp).
// The tests are the same.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "support/images.hpp"

namespace starpath::support {

/// Memory of the device. Throws std::bad_alloc.
void* device_allocate(std::size_t bytes);
void device_free(void* data);
void copy_to_device(void* to, const void* from, std::size_t bytes);
/// Waits for what was queued; throws when that failed.
void copy_from_device(void* to, const void* from, std::size_t bytes);
MemorySource device_memory();
/// Sets the order of threads, where that can be set.
void set_order(std::uint64_t seed);
/// How much more than the SIMT host runtime the device does in the same time.
int device_strength();

/// What a kernel of starpath::cuda is called with.
struct DeviceContext {
  Scratch scratch{device_memory()};
  KernelContext context{scratch};
  operator const KernelContext&() const { return context; }
};

/// Elements on the device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& from) : size_(from.size()) {
    data_ = static_cast<T*>(device_allocate(size_ * sizeof(T) + 1));
    if (size_ != 0) copy_to_device(data_, from.data(), size_ * sizeof(T));
  }
  ~DeviceArray() { device_free(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::span<T> span() const { return {data_, size_}; }
  std::vector<T> get() const {
    std::vector<T> elements(size_);
    if (size_ != 0) copy_from_device(elements.data(), data_, size_ * sizeof(T));
    return elements;
  }

 private:
  std::size_t size_;
  T* data_;
};

/// An Image on the device, with its padding.
template <class T>
class DeviceImage {
 public:
  explicit DeviceImage(const Image<T>& image) : host_(image), elements_(image.elements()) {}
  View<T> view() const {
    const View<const T> host = host_.view();
    return {elements_.data(), host.width, host.height, host.stride};
  }
  /// What it holds now.
  Image<T> get() const {
    Image<T> image = host_;
    image.elements() = elements_.get();
    return image;
  }

 private:
  Image<T> host_;
  DeviceArray<T> elements_;
};

/// Calls check(rng, width, height, padding) for sizes about those of blocks, warps and tiles of the kernels, each with
/// its own seed and order of threads, which a failure prints; for large images only where the device is strong.
template <class Check>
void for_device_sizes(Check check) {
  static constexpr int kSizes[][2] = {{1, 1},   {3, 2},   {1, 9},    {41, 1},     {33, 18},     {31, 33},
                                      {64, 20}, {70, 45}, {130, 66}, {1000, 777}, {2049, 1031}, {4096, 4096}};
  const std::uint64_t base = test_seed();
  std::uint64_t step = 0;
  for (const auto& [width, height] : kSizes) {
    if (width * height > 10'000 * device_strength()) continue;
    const int padding = (base + step) % 2 == 0 ? 0 : 5;
    SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(base) + " size " + std::to_string(width) + "x" +
                 std::to_string(height) + " padding " + std::to_string(padding));
    Rng rng(base + step);
    set_order(base + 1000 * step);
    check(rng, width, height, padding);
    ++step;
  }
}

}  // namespace starpath::support
