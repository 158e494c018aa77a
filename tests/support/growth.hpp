// How the time of some work grows with its size, on a machine that does other things too.
#pragma once
#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>

namespace starpath::test {

/// Of this thread: what others take does not count.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// How often as long `many` takes as `few` does, the least of five times each. `prepare(size)` returns the work, which
/// alone is measured.
template <class Prepare>
double growth(std::size_t few, std::size_t many, const Prepare& prepare) {
  const auto least = [&](std::size_t size) {
    double seconds = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
      const auto work = prepare(size);
      const double begin = cpu_seconds();
      work();
      seconds = std::min(seconds, cpu_seconds() - begin);
    }
    return seconds;
  };
  return least(many) / least(few);
}

}  // namespace starpath::test
