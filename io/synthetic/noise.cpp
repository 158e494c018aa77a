// Value noise on a hashed lattice.
#include "io/synthetic/noise.hpp"

namespace starpath::io {
namespace {

constexpr std::int32_t kOne = 1 << 14;

// 3t^2 - 2t^3 in 14-bit fixed point.
std::int32_t smooth(std::int32_t t) {
  const std::int64_t t64 = t;
  return static_cast<std::int32_t>((t64 * t64 * (3 * kOne - 2 * t64)) >> 28);
}

std::int32_t mix(std::int32_t a, std::int32_t b, std::int32_t t) {
  return a + static_cast<std::int32_t>((std::int64_t{b - a} * t) >> 14);
}

template <class Lattice>
std::int32_t interpolate(const Lattice& lattice, std::int64_t i, std::int64_t j, std::int32_t fx, std::int32_t fy) {
  const std::int32_t tx = smooth(fx), ty = smooth(fy);
  return mix(mix(lattice(i, j), lattice(i + 1, j), tx), mix(lattice(i, j + 1), lattice(i + 1, j + 1), tx), ty);
}

}  // namespace

std::int32_t value_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int shift) {
  const auto lattice = [&](std::int64_t i, std::int64_t j) {
    return static_cast<std::int32_t>(hash_place(seed, i, j, purpose) >> 48);
  };
  const std::int64_t mask = (std::int64_t{1} << shift) - 1;
  const auto fraction = [&](std::int64_t v) { return static_cast<std::int32_t>(((v & mask) << 14) >> shift); };
  return interpolate(lattice, x >> shift, y >> shift, fraction(x), fraction(y));
}

std::int32_t periodic_noise(std::uint64_t seed, std::uint64_t purpose, std::int64_t x, std::int64_t y, int width,
                            int height, int period_x, int period_y) {
  const auto wrap = [](std::int64_t v, std::int64_t period) { return ((v % period) + period) % period; };
  const auto lattice = [&](std::int64_t i, std::int64_t j) {
    return static_cast<std::int32_t>(hash_place(seed, wrap(i, period_x), wrap(j, period_y), purpose) >> 48);
  };
  x = wrap(x, std::int64_t{width} * period_x);
  y = wrap(y, std::int64_t{height} * period_y);
  return interpolate(lattice, x / width, y / height, static_cast<std::int32_t>((x % width) * kOne / width),
                     static_cast<std::int32_t>((y % height) * kOne / height));
}

}  // namespace starpath::io
