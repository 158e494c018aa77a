// What the works of `starpath loop` are made of.
#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "apps/loop_work.hpp"
#include "codelets/kernels/context.hpp"
#include "codelets/kernels/image.hpp"

namespace starpath::apps {

inline Context loop_context_of_thread() {
  thread_local Scratch scratch;
  return Context{scratch};
}

/// A vector that StarPU may use until release().
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t n) : values(n) {
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(n), sizeof(T));
  }
  void release() {
    if (handle) starpu_data_unregister(handle);
    handle = nullptr;
  }
  ~Shared() { release(); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::vector<T> values;
  starpu_data_handle_t handle = nullptr;
};

/// The same for a matrix.
template <class T>
class SharedMatrix {
 public:
  SharedMatrix(std::size_t rows, std::size_t columns)
      : values(rows * columns), width(static_cast<int>(columns)), height(static_cast<int>(rows)) {
    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(columns),
                                static_cast<std::uint32_t>(rows), sizeof(T));
  }
  void release() {
    if (handle) starpu_data_unregister(handle);
    handle = nullptr;
  }
  ~SharedMatrix() { release(); }
  SharedMatrix(const SharedMatrix&) = delete;
  SharedMatrix& operator=(const SharedMatrix&) = delete;

  View<const T> view() const { return {values.data(), width, height, width}; }

  std::vector<T> values;
  int width, height;
  starpu_data_handle_t handle = nullptr;
};

template <class T>
std::span<T> span_of(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffer)), STARPU_VECTOR_GET_NX(buffer)};
}

template <class T>
View<T> view_of(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_MATRIX_GET_PTR(buffer)), static_cast<int>(STARPU_MATRIX_GET_NX(buffer)),
          static_cast<int>(STARPU_MATRIX_GET_NY(buffer)), static_cast<std::ptrdiff_t>(STARPU_MATRIX_GET_LD(buffer))};
}

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
  LoopReport execute(LoopOptions options) override;

 protected:
  virtual std::vector<LoopData> data() = 0;
  virtual void run(void* buffers[], const LoopBlock& block) const = 0;

 private:
  std::size_t iterations_;
};

/// A square of dependent iterations: tiles.
class TileWork : public LoopWork {
 public:
  explicit TileWork(std::size_t side) : side_(side) {}
  std::size_t iterations() const override { return side_ * side_; }
  LoopReport execute(LoopOptions options) override;

 protected:
  virtual std::vector<TileData> data() = 0;
  virtual std::vector<loops::Dependency> dependencies() const = 0;
  virtual void run(void* buffers[], const LoopTile& tile) const = 0;

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
