// What the measurements on a GPU share.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace starpath::bench {

/// Throws std::runtime_error unless the call succeeded.
inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Milliseconds that `work` takes on the clock: the median of `rounds`, after one that does not count.
template <class Work>
double wall_ms(int rounds, Work work) {
  std::vector<double> times;
  for (int i = 0; i <= rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    if (i > 0) times.push_back(taken.count());
  }
  return median(times);
}

}  // namespace starpath::bench
