// Random numbers that are the same with every compiler and standard library, whose distributions are not.
// Recorded results depend on each of these sequences.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

namespace starpath {

/// The step of SplitMix64 (Steele, Lea, Flood 2014): 2^64 over the golden ratio.
inline constexpr std::uint64_t kGoldenStep = 0x9e3779b97f4a7c15U;

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `value`.
constexpr std::uint64_t mix64(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

/// SplitMix64. Not thread-safe.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix64(state_ += kGoldenStep); }

  /// In [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// exp(sigma * a standard normal): a factor whose median is 1.
  double lognormal(double sigma) {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return std::exp(sigma * radius * std::cos(2 * std::numbers::pi * uniform()));
  }

 private:
  std::uint64_t state_;
};

/// A linear congruential generator with Knuth's constants for MMIX: one multiplication a number. Its low bits are poor:
/// use the high ones. Not thread-safe.
class Lcg64 {
 public:
  explicit constexpr Lcg64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return state_ = state_ * 6364136223846793005U + 1442695040888963407U; }

 private:
  std::uint64_t state_;
};

}  // namespace starpath
