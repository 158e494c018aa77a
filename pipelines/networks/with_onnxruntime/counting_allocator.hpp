// Memory for ONNX Runtime that knows how much of it there is.
#pragma once
#include <onnxruntime_cxx_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace starpath {

/// Counts by thread. That is by network, because ONNX Runtime computes a network on the thread that asks, and frees
/// there what it took. It ends a call that gets no memory by an exception, which becomes an error of ONNX Runtime's.
class CountingAllocator final : public OrtAllocator {
 public:
  CountingAllocator() : OrtAllocator{} {
    version = ORT_API_VERSION;
    Alloc = [](OrtAllocator* /*self*/, std::size_t bytes) { return allocate(bytes); };
    Reserve = Alloc;
    Free = [](OrtAllocator* /*self*/, void* memory) { release(memory); };
    Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
      return static_cast<const CountingAllocator*>(self)->memory_;
    };
  }

  /// What the calling thread holds, and the most that it held since begin_call(). In bytes.
  static std::int64_t held() { return counts_.held; }
  static std::int64_t most_held() { return counts_.most; }

  static void begin_call() { counts_ = {counts_.held, counts_.held, false}; }
  /// Whether there was too little memory since begin_call() of the thread.
  static bool ran_out() { return counts_.ran_out; }

 private:
  static constexpr std::size_t kAlignment = 64;  // of vectors; the size lies before a block

  struct Counts {
    std::int64_t held, most;
    bool ran_out;
  };

  static void* allocate(std::size_t bytes) {
    const std::size_t all = (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
    std::byte* const memory = static_cast<std::byte*>(std::aligned_alloc(kAlignment, all));
    if (memory == nullptr) {
      counts_.ran_out = true;
      throw std::bad_alloc();
    }
    new (memory) std::size_t(all);
    counts_.held += static_cast<std::int64_t>(all);
    if (counts_.held > counts_.most) counts_.most = counts_.held;
    return memory + kAlignment;
  }

  static void release(void* memory) {
    if (memory == nullptr) return;
    std::byte* const begin = static_cast<std::byte*>(memory) - kAlignment;
    counts_.held -= static_cast<std::int64_t>(*std::launder(reinterpret_cast<std::size_t*>(begin)));
    std::free(begin);
  }

  static inline thread_local Counts counts_{};
  Ort::MemoryInfo memory_ = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
};

}  // namespace starpath
