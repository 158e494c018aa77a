// Whether a run can never go on, because StarPU gets no memory.
#pragma once
#include <cstdint>
#include <functional>

namespace starpath {

/// The questions of a MemoryWatch. Members are called on its thread.
struct MemorySigns {
  std::function<bool()> working;              // a worker runs a task
  std::function<std::uint64_t()> begun;       // tasks that workers have begun so far
  std::function<bool(std::int64_t)> no_room;  // so many bytes cannot be allocated now
};

/// The signs of StarPU in this process.
MemorySigns signs_of_starpu();

/// While tasks wait, no worker has run one for a while, and all that time there was no room for the largest data: then
/// nothing will ever free any. StarPU itself tries for ever. For one thread.
class MemoryWatch {
 public:
  /// Looks, not seconds: a process that was stopped has not waited.
  static constexpr int kPatience = 10;

  /// `largest`: bytes; 0 for a run without data.
  explicit MemoryWatch(std::int64_t largest, MemorySigns signs = signs_of_starpu());

  /// A look, to be taken every second or so while tasks wait.
  bool starved();

 private:
  const std::int64_t largest_;
  const MemorySigns signs_;
  std::uint64_t begun_ = 0;
  int looks_ = 0;  // one after the other at which nothing went on
};

}  // namespace starpath
