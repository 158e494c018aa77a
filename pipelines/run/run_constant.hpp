// Data that all tiles of a run read and none writes, as StarPU sees them: every device that uses them keeps a copy.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <type_traits>

namespace starpath {

/// A value as a variable buffer. StarPU must be running until it ends, and no task may use it then.
template <class T>
class RunConstant {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  explicit RunConstant(const T& value) : value_(value) {
    starpu_variable_data_register(&handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&value_), sizeof value_);
  }
  ~RunConstant() { starpu_data_unregister(handle_); }
  RunConstant(const RunConstant&) = delete;
  RunConstant& operator=(const RunConstant&) = delete;

  starpu_data_handle_t handle() const { return handle_; }

 private:
  const T value_;
  starpu_data_handle_t handle_ = nullptr;
};

}  // namespace starpath
