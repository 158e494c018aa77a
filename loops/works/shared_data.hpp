// Memory of loops that StarPU's workers read and write.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "loops/works/work.hpp"

namespace starpath {

/// Values of a work, which StarPU may use until the work's release(); pinned where there are GPUs, so that copies run
/// beside kernels. They stay where they are.
template <class T>
class SharedValues {
 public:
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;

  std::vector<T> values;
  starpu_data_handle_t handle = nullptr;

 protected:
  SharedValues(LoopWork& work, std::size_t n)
      : values(n), pinned_(starpu_cuda_worker_get_count() > 0 && starpu_memory_pin(values.data(), n * sizeof(T)) == 0) {
    work.releases_.emplace_back([this] { release(); });
  }
  ~SharedValues() { release(); }
  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(values.data()); }

 private:
  void release() {
    if (handle) starpu_data_unregister(handle);
    if (pinned_) starpu_memory_unpin(values.data(), values.size() * sizeof(T));
    handle = nullptr;
    pinned_ = false;
  }

  bool pinned_;
};

template <class T>
class SharedVector : public SharedValues<T> {
 public:
  SharedVector(LoopWork& work, std::size_t n) : SharedValues<T>(work, n) {
    starpu_vector_data_register(&this->handle, STARPU_MAIN_RAM, this->address(), static_cast<std::uint32_t>(n),
                                sizeof(T));
  }
};

template <class T>
class SharedMatrix : public SharedValues<T> {
 public:
  SharedMatrix(LoopWork& work, std::size_t rows, std::size_t columns)
      : SharedValues<T>(work, rows * columns), width(static_cast<int>(columns)), height(static_cast<int>(rows)) {
    starpu_matrix_data_register(&this->handle, STARPU_MAIN_RAM, this->address(), static_cast<std::uint32_t>(columns),
                                static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), sizeof(T));
  }

  View<const T> view() const { return {this->values.data(), width, height, width}; }

  int width, height;
};

}  // namespace starpath
