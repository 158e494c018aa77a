// Kernels of the loops that self-scheduling is measured with (hdss-2013 section 4.2, anthill-2010 sections 4 and 6.2).
// Each runs iterations of a loop; the bits of an iteration's result do not depend on how the loop was divided.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

/// European options with one interest rate and volatility. Spans of one length.
struct OptionBatch {
  std::span<const double> spot, strike;  ///< above 0
  std::span<const double> years;         ///< above 0, at most 1000
  std::span<double> call, put;
  double rate = 0.02;
  double volatility = 0.30;
};

struct Body {
  float x, y, z, mass;
};
struct Acceleration {
  float x, y, z;
  bool operator==(const Acceleration&) const = default;
};

namespace detail {

inline constexpr double kLn2 = 0.6931471805599453;
inline constexpr double kLog2E = 1.4426950408889634;

STARPATH_HD inline double normal_distribution(double d) {
  const double k = 1 / (1 + 0.2316419 * std::abs(d));
  const double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double tail = 0.3989422804014327 * portable_exp2(-0.5 * d * d * kLog2E) * poly;
  return d > 0 ? 1 - tail : tail;
}

struct OptionPrice {
  double call, put;
};

STARPATH_HD inline OptionPrice option_price(double spot, double strike, double years, double rate, double volatility) {
  const auto clamped = [](double d) { return d < -35 ? -35 : d > 35 ? 35 : d; };
  const double deviation = volatility * std::sqrt(years);
  const double d1 =
      clamped((portable_log2(spot / strike) * kLn2 + (rate + 0.5 * volatility * volatility) * years) / deviation);
  const double d2 = clamped(d1 - deviation);
  const double n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  const double discounted = strike * portable_exp2(-rate * years * kLog2E);
  return {spot * n1 - discounted * n2, discounted * (1 - n2) - spot * (1 - n1)};
}

/// Adds the attraction that `other` exerts on `body`.
STARPATH_HD inline void attract(const Body& body, const Body& other, float softening, Acceleration& sum) {
  const float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
  const float squared = dx * dx + dy * dy + dz * dz + softening * softening;
  const float factor = other.mass / (squared * std::sqrt(squared));
  sum.x += dx * factor;
  sum.y += dy * factor;
  sum.z += dz * factor;
}

}  // namespace detail

STARPATH_DECLARE_KERNEL(
    /// values[i] += 1, modulo 2^32.
    void vector_increment(const KernelContext& context, std::span<std::uint32_t> values))

STARPATH_DECLARE_KERNEL(
    /// Prices by Black and Scholes; the normal distribution by Abramowitz and Stegun 26.2.17 (error below 7.5e-8).
    void black_scholes(const KernelContext& context, const OptionBatch& options))

STARPATH_DECLARE_KERNEL(
    /// bins[v] += number of values v. 256 bins.
    void value_histogram(const KernelContext& context, std::span<const std::uint8_t> values,
                         std::span<std::uint64_t> bins))

STARPATH_DECLARE_KERNEL(
    /// bins[v] = 0.
    void zero_bins(const KernelContext& context, std::span<std::uint64_t> bins))

STARPATH_DECLARE_KERNEL(
    /// into[v] += from[v]. Spans of one length.
    void add_bins(const KernelContext& context, std::span<std::uint64_t> into, std::span<const std::uint64_t> from))

STARPATH_DECLARE_KERNEL(
    /// out(i, j) = mean, rounded half up, of the pixels of `in` within `radius` columns and rows of (i, j + first), as
    /// far as there are any. `in` has the width of `out` and rows first ... first + out.height - 1 at least; radius 0
    /// to 127.
    void box_filter(const KernelContext& context, GrayView in, int first, View<std::uint8_t> out, int radius))

STARPATH_DECLARE_KERNEL(
    /// out[i] = acceleration of body first + i by all bodies (G = 1), summed in their order, softened by `softening`
    /// (above 0).
    void n_body(const KernelContext& context, std::span<const Body> bodies, std::size_t first, float softening,
                std::span<Acceleration> out))

}  // namespace starpath
