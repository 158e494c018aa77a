// Whether the workers are at something.
#pragma once
#include <atomic>
#include <cstdint>

namespace starpath::codelets {

/// The functions of tasks on cores. Thread-safe.
class RunningFunctions {
 public:
  /// One of them, from its begin to its end.
  class Run {
   public:
    Run() {
      ++begun;
      ++now;
    }
    ~Run() { --now; }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
  };

  static bool any() { return now > 0; }
  static std::uint64_t begun_so_far() { return begun; }

 private:
  static inline std::atomic<int> now{0};
  static inline std::atomic<std::uint64_t> begun{0};
};

}  // namespace starpath::codelets
