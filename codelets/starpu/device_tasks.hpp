// Tasks that GPUs were given and have not been seen to finish. When one of them fails, StarPU knows only that a task
// failed.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace starpath::codelets {

/// One worker's tasks, which end in the order in which they were given. begin() and end() are for the worker's own
/// thread; the others may be called by any, and in a signal handler.
class DeviceTasks {
 public:
  /// As many are remembered: StarPU gives a worker no more at a time.
  static constexpr std::uint32_t kMost = 4;

  /// Texts that are too long are cut.
  void begin(std::string_view operation, std::string_view place);
  /// The oldest has ended.
  void end() { ended_.fetch_add(1, std::memory_order_release); }

  bool empty() const { return begun_.load(std::memory_order_acquire) == ended_.load(std::memory_order_acquire); }
  /// Writes "watershed of tile 3, then features of tile 1", oldest first, cut where `text` ends. Returns its length.
  std::size_t describe(std::span<char> text) const;

 private:
  using Name = std::array<char, 128>;  // ends with 0
  std::array<Name, kMost> names_{};
  std::atomic<std::uint32_t> begun_{0}, ended_{0};
};

/// The tasks of a worker of StarPU, by its number.
DeviceTasks& device_tasks(int worker);

/// Writes `error` and the text of describe() for the workers that have tasks, as one text. Returns its length. Safe in
/// a signal handler.
std::size_t describe_device_failure(std::string_view error, std::span<char> text);

}  // namespace starpath::codelets
