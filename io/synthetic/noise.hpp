// Random numbers that are a function of place: what makes any region of a synthetic slide come out the same.
#pragma once
#include <cstdint>

namespace starpath::io {

/// 64 well-mixed bits (the finaliser of splitmix64) for a place, a seed and a purpose.
constexpr std::uint64_t hash_place(std::uint64_t seed, std::int64_t x, std::int64_t y, std::uint64_t purpose) {
  std::uint64_t h = seed * 0x9e3779b97f4a7c15u + purpose * 0xd1b54a32d192ed03u;
  h ^= static_cast<std::uint64_t>(x) * 0xa0761d6478bd642fu;
  h = (h ^ (h >> 32)) + static_cast<std::uint64_t>(y) * 0xe7037ed1a0b428dbu;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

/// A run of random numbers from one hash.
class PlaceRandom {
 public:
  explicit constexpr PlaceRandom(std::uint64_t state) : state_(state) {}
  /// In [0, 1), a multiple of 2^-24, hence exact in a float.
  constexpr float unit() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t mixed = (state_ ^ (state_ >> 29)) * 0xbf58476d1ce4e5b9u;
    return static_cast<float>(mixed >> 40) * 0x1p-24f;
  }
  constexpr float between(float low, float high) { return low + (high - low) * unit(); }

 private:
  std::uint64_t state_;
};

/// Smooth value noise, 0 to 65535, on a lattice of 2^shift pixels; x, y >= 0. Exact integers.
std::int32_t value_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int shift);

/// The same on a torus of `period_x` by `period_y` lattice cells of width x height pixels.
std::int32_t periodic_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int width,
                            int height, int period_x, int period_y);

}  // namespace starpath::io
