// Kernels of the loops that self-scheduling is measured with (hdss-2013 section 4.2, anthill-2010 sections 4 and 6.2).
// Each runs iterations of a loop; the bits of an iteration's result do not depend on how the loop was divided.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/kernels/context.hpp"
#include "codelets/kernels/image.hpp"

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

STARPATH_DECLARE_KERNEL(
    /// values[i] += 1, modulo 2^32.
    void vector_increment(const Context& context, std::span<std::uint32_t> values))

STARPATH_DECLARE_KERNEL(
    /// Prices by Black and Scholes; the normal distribution by Abramowitz and Stegun 26.2.17 (error below 7.5e-8).
    void black_scholes(const Context& context, const OptionBatch& options))

STARPATH_DECLARE_KERNEL(
    /// bins[v] += number of values v. 256 bins.
    void value_histogram(const Context& context, std::span<const std::uint8_t> values, std::span<std::uint64_t> bins))

STARPATH_DECLARE_KERNEL(
    /// out(i, j) = mean, rounded half up, of the pixels of `in` within `radius` columns and rows of (i, j + first), as
    /// far as there are any. `in` has the width of `out` and rows first ... first + out.height - 1 at least; radius 0
    /// to 127.
    void box_filter(const Context& context, GrayView in, int first, View<std::uint8_t> out, int radius))

STARPATH_DECLARE_KERNEL(
    /// out[i] = acceleration of body first + i by all bodies (G = 1), summed in their order, softened by `softening`
    /// (above 0).
    void n_body(const Context& context, std::span<const Body> bodies, std::size_t first, float softening,
                std::span<Acceleration> out))

}  // namespace starpath
