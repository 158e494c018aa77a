// What a site that reads tiles sends to a site that judges them.
#pragma once
#include <starpu.h>

#include <string>
#include <utility>

namespace starpath {

/// Data of StarPU, and a text that travels beside them. Owned data are unregistered at the end, which waits for tasks
/// and transfers that use them. Data that are not owned are those of the job that read them. For one thread.
class TileBuffer {
 public:
  TileBuffer() = default;
  TileBuffer(starpu_data_handle_t handle, bool owned, std::string text = "")
      : note(std::move(text)), handle_(handle), owned_(owned) {}
  ~TileBuffer() {
    if (owned_) starpu_data_unregister_no_coherency(handle_);
  }
  TileBuffer(TileBuffer&& other) noexcept { swap(other); }
  TileBuffer& operator=(TileBuffer&& other) noexcept {
    TileBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }

  /// nullptr: there are no data here, or not any more.
  starpu_data_handle_t handle() const { return handle_; }
  /// The caller owns data that were owned.
  starpu_data_handle_t release() {
    owned_ = false;
    return std::exchange(handle_, nullptr);
  }
  /// Owned data are unregistered once the tasks and transfers that use them have ended; does not wait.
  void let_go() {
    if (owned_) starpu_data_unregister_submit(handle_);
    release();
  }

  std::string note;  ///< UTF-8

 private:
  void swap(TileBuffer& other) {
    std::swap(handle_, other.handle_);
    std::swap(owned_, other.owned_);
    note.swap(other.note);
  }

  starpu_data_handle_t handle_ = nullptr;
  bool owned_ = false;
};

}  // namespace starpath
