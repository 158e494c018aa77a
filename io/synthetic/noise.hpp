// Random numbers that are a function of place, so that any region of a synthetic slide is always the same.
#pragma once
#include <cstdint>

#include "base/pure/random.hpp"

namespace starpath::io {

/// 64 well-mixed bits for a place, a seed and a purpose.
constexpr std::uint64_t hash_place(std::uint64_t seed, std::int64_t x, std::int64_t y, std::uint64_t purpose) {
  std::uint64_t h = seed * kGoldenStep + purpose * 0xd1b54a32d192ed03u;
  h ^= static_cast<std::uint64_t>(x) * 0xa0761d6478bd642fu;
  h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(y) * 0xe7037ed1a0b428dbu;
  return mix64(h);
}

/// Random numbers that follow from one hash.
class PlaceRandom {
 public:
  explicit constexpr PlaceRandom(std::uint64_t seed) : numbers_(seed) {}
  /// A number in [0, 1), a multiple of 2^-24, hence exact in a float.
  constexpr float unit() {
    const std::uint64_t number = numbers_.next();
    const std::uint64_t mixed = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9u;
    return static_cast<float>(mixed >> 40) * 0x1p-24f;
  }
  constexpr float between(float low, float high) { return low + (high - low) * unit(); }

 private:
  Lcg64 numbers_;
};

/// Smooth value noise, 0 to 65535, on a lattice of 2^shift pixels; x, y >= 0. Exact integers.
std::int32_t value_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int shift);

/// The same on a torus of `period_x` by `period_y` lattice cells of width x height pixels.
std::int32_t periodic_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int width,
                            int height, int period_x, int period_y);

}  // namespace starpath::io
