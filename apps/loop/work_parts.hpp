// What the works of `starpath loop` are made of.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "apps/loop/work.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/starpu/kernel_codelet.hpp"

namespace starpath::apps {

using codelets::array;
using codelets::image;

/// What runs a block: the contexts and kernels of the CPU, or those of a GPU.
struct Device {
  KernelContext context;
  bool gpu = false;

  /// Of the two implementations of a kernel the one for this device. A build without CUDA leaves `on_gpu` out.
  template <auto on_cpu, auto on_gpu>
  auto choose() const {
    if constexpr (codelets::cuda_compiled) return gpu ? on_gpu : on_cpu;
    return on_cpu;
  }
};

/// The calling thread.
inline Device cpu_device() { return {KernelContext{codelets::worker_scratch()}}; }

/// Values that StarPU may use until release(); pinned where there are GPUs, so that copies run beside kernels.
template <class T>
class SharedValues {
 public:
  void release() {
    if (handle) starpu_data_unregister(handle);
    if (pinned_) starpu_memory_unpin(values.data(), values.size() * sizeof(T));
    handle = nullptr;
    pinned_ = false;
  }
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;

  std::vector<T> values;
  starpu_data_handle_t handle = nullptr;

 protected:
  explicit SharedValues(std::size_t n)
      : values(n),
        pinned_(starpu_cuda_worker_get_count() > 0 && starpu_memory_pin(values.data(), n * sizeof(T)) == 0) {}
  ~SharedValues() { release(); }
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(values.data()); }

 private:
  bool pinned_;
};

/// A vector.
template <class T>
class Shared : public SharedValues<T> {
 public:
  explicit Shared(std::size_t n) : SharedValues<T>(n) {
    starpu_vector_data_register(&this->handle, STARPU_MAIN_RAM, this->address(), static_cast<std::uint32_t>(n),
                                sizeof(T));
  }
};

template <class T>
class SharedMatrix : public SharedValues<T> {
 public:
  SharedMatrix(std::size_t rows, std::size_t columns)
      : SharedValues<T>(rows * columns), width(static_cast<int>(columns)), height(static_cast<int>(rows)) {
    starpu_matrix_data_register(&this->handle, STARPU_MAIN_RAM, this->address(), static_cast<std::uint32_t>(columns),
                                static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), sizeof(T));
  }

  View<const T> view() const { return {this->values.data(), width, height, width}; }

  int width, height;
};

/// Uniform in [low, high), the same on every machine.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(random_() >> 24); }

 private:
  std::mt19937 random_;
};

/// Independent iterations: blocks.
class BlockWork : public LoopWork {
 public:
  explicit BlockWork(std::size_t iterations) : iterations_(iterations) {}
  std::size_t iterations() const override { return iterations_; }
  starpu_codelet codelet() const override;
  LoopReport execute(const starpu_codelet& codelet, LoopOptions options) override;

  /// Runs a block, or queues it on a GPU's stream.
  virtual void run(const Device& device, void* buffers[], const LoopBlock& block) const = 0;

 protected:
  virtual std::vector<LoopData> data() = 0;

 private:
  std::size_t iterations_;
};

/// A square of dependent iterations: tiles.
class TileWork : public LoopWork {
 public:
  explicit TileWork(std::size_t side) : side_(side) {}
  std::size_t iterations() const override { return side_ * side_; }
  starpu_codelet codelet() const override;
  LoopReport execute(const starpu_codelet& codelet, LoopOptions options) override;

  /// Runs a tile, or queues it on a GPU's stream.
  virtual void run(const Device& device, void* buffers[], const LoopTile& tile) const = 0;

 protected:
  virtual std::vector<TileData> data() = 0;
  virtual std::vector<loops::Dependency> dependencies() const = 0;

 private:
  std::size_t side_;
};

template <class Work>
std::unique_ptr<LoopWork> make_work(std::size_t size) {
  return std::make_unique<Work>(size);
}

/// The tables of each kind, which loop_work_names() joins.
std::vector<LoopWorkName> block_works();
std::vector<LoopWorkName> tile_works();
std::vector<LoopWorkName> estimator_works();

}  // namespace starpath::apps
