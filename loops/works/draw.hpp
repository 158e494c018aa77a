// Random input of loops.
#pragma once
#include <cstdint>
#include <random>

namespace starpath {

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

}  // namespace starpath
